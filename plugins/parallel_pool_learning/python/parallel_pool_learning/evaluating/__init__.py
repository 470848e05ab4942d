"""Whole episodes of chosen seeds, and what they say of a policy. See docs/evaluate.md."""

from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.episodes import Episodes
from parallel_pool_learning.evaluating.evaluation import Evaluation
from parallel_pool_learning.evaluating.evaluator import evaluate

__all__ = ["Episode", "Episodes", "Evaluation", "evaluate"]
