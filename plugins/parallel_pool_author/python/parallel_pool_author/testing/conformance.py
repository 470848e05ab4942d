"""The kit as a class that pytest collects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, ClassVar

from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS
from parallel_pool_author.testing.examiner import LIMIT
from parallel_pool_author.testing.findings import Finding
from parallel_pool_author.testing.report import Examination, Result, examinations


class PluginConformance:
    """Inherit from it, name the plugin, and pytest runs every check on every environment.

    Class attributes only, and no fixture, so that nothing of our own test suite is needed.
    """

    plugin: ClassVar[str]
    """The family."""
    env_ids: ClassVar[Iterable[str] | None] = None
    """The environments; None: one per native environment of the library."""
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Options to test with, by id: to make an environment small or quick."""
    references: ClassVar[Mapping[str, Any]] = {}
    """By id, the Gymnasium id or a callable that makes the gymnasium.Env that it must equal."""
    steps: ClassVar[int] = 150
    """Steps of each trajectory."""
    limit: ClassVar[float] = LIMIT
    """Seconds that one check may take."""
    in_process: ClassVar[bool] = False
    """True: checks run in pytest's own process, for a debugger, and not in one that may crash."""
    _examinations: ClassVar[dict[str, Examination]]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # An attribute that is not read is an error: `reference = ...` would compare with nothing.
        ours = PluginConformance.__annotations__.keys()
        for name in vars(cls).keys() - ours:
            if not name.startswith(("_", "test")) and (
                meant := get_close_matches(name, ours, 1, 0.8)
            ):
                raise TypeError(f"{cls.__name__} has {name!r}: did you mean {meant[0]!r}?")

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Called by pytest: a test per environment and check."""
        if not hasattr(self, "plugin"):
            raise TypeError(f"{type(self).__name__} does not say which plugin: plugin = 'lander'")
        if metafunc.function.__name__ == "test_plugin":
            metafunc.parametrize("check", list(PLUGIN_CHECKS))
        elif metafunc.function.__name__ == "test_environment":
            ids = [subject for subject in self._by_subject() if subject != self.plugin]
            pairs = [(env_id, check) for env_id in ids for check in ENV_CHECKS]
            metafunc.parametrize(("env_id", "check"), pairs, ids=["-".join(pair) for pair in pairs])

    def test_plugin(self, check: str) -> None:
        """A check of the plugin as a whole."""
        self._raise(self._by_subject()[self.plugin].result(check))

    def test_environment(self, env_id: str, check: str) -> None:
        """A check of one environment."""
        self._raise(self._by_subject()[env_id].result(check))

    @classmethod
    def teardown_class(cls) -> None:
        """Called by pytest after the last test: the processes of the checks end."""
        for examination in cls.__dict__.get("_examinations", {}).values():
            examination.close()

    @staticmethod
    def _raise(result: Result) -> None:
        import pytest

        if result.outcome == "failed":
            raise Finding(result.text)
        if result.outcome == "inapplicable":
            pytest.skip(result.text)

    @classmethod
    def _by_subject(cls) -> dict[str, Examination]:
        # Only this very class counts: pytest makes an object per test, and checks build upon each other.
        if "_examinations" not in cls.__dict__:
            cls._examinations = examinations(
                cls.plugin,
                env_ids=cls.env_ids,
                options=cls.options,
                references=cls.references,
                steps=cls.steps,
                limit=cls.limit,
                in_process=cls.in_process,
            )
        return cls._examinations
