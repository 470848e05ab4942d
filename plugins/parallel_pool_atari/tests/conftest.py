import pytest
from atari_engine import find_driver
from test_envs.originals import fixture_of

beside = fixture_of("ale-py", "gymnasium", "numpy", "opencv-python-headless")


ENGINE_TESTS = {
    "test_engines.py",
    "test_machine.py",
    "test_resize.py",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_driver() is not None:
        return
    hint = (
        "no atari_test_driver library; editable installs build it (`uv sync`), and so does "
        "cmake -S plugins/parallel_pool_atari -B <folder> -DPARALLEL_POOL_ATARI_TEST_DRIVER=ON, for "
        "PARALLEL_POOL_ATARI_TEST_DRIVER=<the library>"
    )
    for item in items:
        if item.path.name in ENGINE_TESTS:
            item.add_marker(pytest.mark.skip(reason=hint))
