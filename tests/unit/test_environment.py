from loopx.domain.environment import likely_secrets, own_secrets

ENVIRONMENT = {
    "PATH": "/usr/bin",
    "GH_TOKEN": "ghp_000000000000\n",
    "GITHUB_ENTERPRISE_TOKEN": "ghe_000000000000",
    "GITHUB_TOKEN": "",
    "AWS_SECRET_ACCESS_KEY": "aws-000000000000",
    "Db_Password": "db-000000000000",
    "OPENAI_API_KEY": "ai-000000000000",
}


def test_data_is_searched_for_the_credentials_that_loopx_uses() -> None:
    assert {secret.reveal() for secret in own_secrets(ENVIRONMENT)} == {
        "ghp_000000000000",
        "ghe_000000000000",
    }


def test_what_is_said_hides_everything_whose_name_tells_of_a_secret() -> None:
    hidden = {secret.reveal() for secret in likely_secrets(ENVIRONMENT)}
    assert {"ghp_000000000000", "aws-000000000000", "db-000000000000", "ai-000000000000"} <= hidden
    assert "/usr/bin" not in hidden
