"""Families have one owner; a package that may not claim one is refused by name, never by alphabet."""

import pytest

from .sites import Site


@pytest.mark.parametrize("with_owner", [True, False])
def test_outsider_cannot_claim_a_first_party_family(site: Site, with_owner: bool) -> None:
    site.install("atari", envs="'atari/Evil-v0'", distribution="evil-atari")
    if with_owner:
        site.install("atari", envs="'atari/Pong-v5'", distribution="parallel-pool-atari")
    (warning,) = site.answers(["atari/Pong-v5"] if with_owner else [], warned=1)
    assert "evil-atari must choose another name" in warning
    assert "belongs to parallel-pool-atari" in warning
    if not with_owner:
        assert site.unknown("Pong-v5").endswith("pip install 'parallel-pool[atari]'")


def test_unreadable_plugin_metadata_is_reported(site: Site) -> None:
    site.install("good", envs="'good/A-v0'")
    site.install("bad", envs="'bad/A-v0'")
    (site.root / "pp_bad-1.0.dist-info").rename(site.root / "renamed-1.0.dist-info")
    site.metadata("pp-worse", "1.0", "[parallel_pool]\nno equals sign\n")
    for warning in site.answers(["good/A-v0"], warned=2):
        assert "its entry points cannot be read" in warning


def test_two_third_parties_are_both_refused(site: Site) -> None:
    site.install("lander", envs="'lander/A-v0'", distribution="a-lander", version="1.0")
    site.install("lander", envs="'lander/B-v0'", distribution="b-lander", version="2.0")
    for warning in site.answers([], warned=2):
        assert "a-lander 1.0 and b-lander 2.0" in warning
        assert "PARALLEL_POOL_DISABLE_PLUGINS" in warning
    site.unknown("lander/A-v0", "claimed by a-lander 1.0 and b-lander 2.0")

    site.answers(["lander/B-v0"], PARALLEL_POOL_DISABLE_PLUGINS="A_Lander")


@pytest.mark.parametrize("names", ["lander", "evil-lander", "x, EVIL_Lander ,", "*"])
def test_disabled_plugin_is_not_imported(site: Site, names: str) -> None:
    site.install("lander", "raise OSError('imported')", distribution="evil-lander")
    code = "answer = r.list_all_envs(), [p.status for p in r.plugins]"
    site.answers([[], ["disabled"]], code, PARALLEL_POOL_DISABLE_PLUGINS=names)
    said = "disabled by PARALLEL_POOL_DISABLE_PLUGINS"
    site.unknown("lander/A-v0", said, PARALLEL_POOL_DISABLE_PLUGINS=names)


def test_bad_family_name_is_refused(site: Site) -> None:
    site.install("Lander", envs="'lander/A-v0'", distribution="pp-lander")
    (warning,) = site.ask("").warnings
    assert "'Lander' is not a family name" in warning


def test_distribution_found_twice_counts_once(site: Site) -> None:
    """As an editable install beside a wheel: Python imports the first, so the first counts."""
    second = Site(site.root.parent / "second")
    site.install("lander", envs="'lander/New-v0'", version="2.0")
    second.install("lander", envs="'lander/Old-v0'", version="1.0")
    code = "answer = r.list_all_envs(), [p.version for p in r.plugins]"
    site.answers([["lander/New-v0"], ["2.0"]], code, path=[second])


def test_shadowed_entry_point_does_not_count(site: Site) -> None:
    """The version that Python imports no longer has the plugin."""
    second = Site(site.root.parent / "second")
    site.metadata("pp-lander", "2.0")
    second.install("lander", envs="'lander/Old-v0'", version="1.0")
    assert site.ask("answer = len(r.plugins)", path=[second]).value == 0


def test_unreadable_foreign_metadata_is_harmless(site: Site) -> None:
    site.metadata("foreign", "1.0", "[console_scripts]\nthis is no entry point\n")
    (site.root / "nameless-1.0.dist-info").mkdir()
    (site.root / "bytes-1.0.dist-info").mkdir()
    (site.root / "bytes-1.0.dist-info" / "entry_points.txt").write_bytes(b"parallel_pool \xff")
    site.install("lander", envs="'lander/A-v0'")
    site.answers(["lander/A-v0"])


def test_two_families_in_one_distribution_and_one_module(site: Site) -> None:
    source = """
        @hookimpl
        def parallel_pool_envs():
            return [EnvSpec("one/A-v0")]
        class Two:
            @staticmethod
            @hookimpl
            def parallel_pool_envs():
                return [EnvSpec("two/A-v0")]
    """
    site.install("unused", source, distribution="pair", module="pair_plugin")
    entry_points = "[parallel_pool]\none = pair_plugin\ntwo = pair_plugin:Two\n"
    (site.root / "pair-1.0.dist-info" / "entry_points.txt").write_text(entry_points)
    site.answers(["one/A-v0", "two/A-v0"])
