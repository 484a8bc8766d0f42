"""The notice while kernels compile: once, and only when there is something to wait for."""

import numba
import pytest

from croupier.lab.compiler import compiling_notice, say_on_standard_error


def test_the_notice_comes_once_for_several_compilations_and_never_for_ready_code() -> None:
    said: list[str] = []
    double, triple = numba.njit(lambda x: x * 2), numba.njit(lambda x: x * 3)
    with compiling_notice(lambda: said.append("wait")):
        assert double(2) + triple(2) == 10
    assert said == ["wait"]
    with compiling_notice(lambda: said.append("again")):
        assert double(3) + triple(3) == 15
    assert said == ["wait"]


def test_the_notice_goes_to_standard_error_in_the_users_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CROUPIER_LANG", "ru")
    say_on_standard_error()
    written = capsys.readouterr()
    assert written.out == ""
    assert "компиляция" in written.err
