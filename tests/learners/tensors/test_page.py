"""The code of docs/torch.md runs as it stands, but for what needs a GPU."""

import parallel_pool
import torch
from test_envs.code_blocks import BLOCK, DOCS

PAGE = DOCS / "torch.md"


def test_the_loop_of_the_page() -> None:
    loop, on_a_gpu = BLOCK.findall(PAGE.read_text("utf-8"))
    assert 'device="cuda"' in on_a_gpu

    def policy(obs: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(obs), dtype=torch.int64)

    names = {"parallel_pool": parallel_pool, "policy": policy}
    exec(loop.replace("while True:", "for _ in range(3):"), names)
    on_the_cpu = on_a_gpu.replace('"cuda"', '"cpu"')
    exec(on_the_cpu, names)
    assert names["obs"].shape == (64, 4, 84, 84)  # type: ignore[attr-defined]
    names["envs"].close()  # type: ignore[attr-defined]
