"""The steps of an update, in their order."""

from enum import StrEnum


class Step(StrEnum):
    """What has just been done; the value is what a person is told before the next one."""

    LOCKED = "locked"
    SETTLED = "settled"
    BEGUN = "begun"
    FETCHED = "fetched"
    EXTRACTED = "extracted"
    VERIFIED = "verified"
    SEALED = "sealed"
    STORED = "stored"
    CHECKED = "checked"
    ANNOUNCED = "announced"
    SWITCHED = "switched"
    CONFIRMED = "confirmed"
    REMEMBERED = "remembered"
    COLLECTED = "collected"
    RETURNING = "returning"
    DONE = "done"
