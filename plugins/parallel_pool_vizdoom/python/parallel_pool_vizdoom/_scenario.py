"""From a scenario's cfg to the engine's command line and to the settings that the library gets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec, find_library

from parallel_pool_vizdoom._cfg import Cfg, CfgError, as_text
from parallel_pool_vizdoom._match import check_arguments, match_settings
from parallel_pool_vizdoom._matches import NATIVE
from parallel_pool_vizdoom._package import (
    ENGINE_FOLDER,
    MissingError,
    package_folder,
    scenario_folders,
)
from parallel_pool_vizdoom._settings import Settings, as_lines
from parallel_pool_vizdoom._shaping import (
    ENVPOOL,
    SCENARIO,
    delta_levels,
    variable_rewards,
    weapon_rewards,
)
from parallel_pool_vizdoom._shaping import as_text as as_entries

_GRAY, _RGB = 8, 1
_ASPECTS = {(16, 9): 1, (16, 10): 2, (4, 3): 3, (5, 4): 4}
_SAMPLING_RATES = {"sr_11025": 11025, "sr_22050": 22050, "sr_44100": 44100}
_TICS_PER_SECOND = 35
_AUTOMAP_MODES = ("normal", "whole", "objects", "objects_with_size")
_RENDER_BITS = (
    *("render_hud", "render_minimal_hud", "render_weapon", "render_crosshair", "render_decals"),
    *("render_particles", "render_effects_sprites", "render_messages", "automap_rotate"),
    *("automap_render_textures", "automap_render_objects_as_sprites", "render_corpses"),
    "render_screen_flashes",
)


def translated(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Dicts and lists as texts, None as the scenario's rewards."""
    result = dict(options)
    if isinstance(config := result.get("config"), Mapping):
        result["config"] = as_text(config)
    if isinstance(names := result.get("game_variables"), (list, tuple)):
        result["game_variables"] = " ".join(map(str, names))
    if isinstance(lines := result.get("player_args"), (list, tuple)):
        result["player_args"] = "\n".join(map(str, lines))
    for name in ("reward_config", "selected_weapon_reward_config", "delta_button_config"):
        if isinstance(entries := result.get(name), Mapping):
            result[name] = as_entries(entries)
    if "reward_config" in result and result["reward_config"] is None:
        result["reward_config"] = SCENARIO
    return result


def completed(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with what the scenario's cfg says. Raises OptionError."""
    try:
        cfg, settings = read(options)
        result = {**options, "map_id": cfg.texts["doom_map"]}
        if spec.native == NATIVE:
            settings |= match_settings(result, settings["engine_arguments"])
        return {**result, "scenario_settings": as_lines(settings)}
    except (CfgError, MissingError) as error:
        raise OptionError(f"{spec.id}: {error}") from error


def read(options: Mapping[str, Any]) -> tuple[Cfg, Settings]:
    """The scenario's cfg, and what the library is told of it. Raises CfgError, MissingError."""
    root = package_folder()
    path = _scenario_file(str(options.get("cfg_path") or ""), root)
    cfg = Cfg()
    cfg.read(path.read_text(encoding="utf-8", errors="replace"), str(path))
    _apply(options, cfg)
    if not cfg.buttons:
        raise CfgError(f"{path} has no available_buttons")
    width, height = _resolution(cfg.texts["screen_resolution"])
    gray = cfg.texts["screen_format"] == "gray8"
    screen = (width, height, _GRAY if gray else _RGB)
    messages = options.get("notifications_buffer")
    return cfg, {
        "engine_arguments": _arguments(options, cfg, path.parent, root, screen),
        "engine_folder": str(ENGINE_FOLDER),
        "engine_library": str(find_library(__package__, "engine_tics")),
        "bots_path": "",
        "screen_width": width,
        "screen_height": height,
        "screen_channels": 1 if gray else 3,
        **{
            f"observes_{name}": cfg.flags[f"{name}_buffer_enabled"]
            for name in ("depth", "labels", "automap")
        },
        "sound_samples": _samples(options, cfg),
        "message_bytes": int(options.get("notifications_length", 1024)) if messages else 0,
        "observed_variables": cfg.variables,
        "buttons": cfg.buttons,
        "button_limits": list(cfg.limits.items()),
        "delta_levels": delta_levels(str(options.get("delta_button_config", "none")), cfg.buttons),
        "start_time": cfg.counts["episode_start_time"] or 1,
        "timeout": cfg.counts["episode_timeout"],
        **cfg.rewards,
        "variable_rewards": variable_rewards(
            str(options.get("reward_config", SCENARIO)), cfg.variables
        ),
        "weapon_rewards": weapon_rewards(
            str(options.get("selected_weapon_reward_config", ENVPOOL))
        ),
    }


def _scenario_file(name: str, root: Path) -> Path:
    if not name:
        raise CfgError("which scenario? cfg_path names its cfg file")
    folders = scenario_folders(root)
    for path in (Path(name), *(folder / name for folder in folders)):
        for each in (path, path.with_name(f"{path.name}.cfg")):
            if each.is_file():
                return each.absolute()
    raise CfgError(
        f"cfg_path is {name!r}, expected a file, or the name of one in "
        f"{' or '.join(map(str, folders))}"
    )


def _apply(options: Mapping[str, Any], cfg: Cfg) -> None:
    """The options of ours that say something else than the file."""
    cfg.read(str(options.get("config") or ""), "config")
    if variables := options.get("game_variables"):
        cfg.read(f"available_game_variables = {{ {variables} }}", "game_variables")
    if options.get("doom_skill"):
        cfg.counts["doom_skill"] = int(options["doom_skill"])
    if (timeout := int(options.get("episode_timeout", -1))) >= 0:
        cfg.counts["episode_timeout"] = timeout
    if name := options.get("map_id"):
        cfg.texts["doom_map"] = str(name)
    if size := options.get("screen_resolution"):
        cfg.texts["screen_resolution"] = str(size)
    if (form := options.get("screen_format", "scenario")) != "scenario":
        cfg.texts["screen_format"] = {"gray": "gray8", "rgb": "rgb24"}[str(form)]
    for name in ("depth", "labels", "automap"):
        if options.get(f"{name}_buffer"):
            cfg.flags[f"{name}_buffer_enabled"] = True


def _samples(options: Mapping[str, Any], cfg: Cfg) -> int:
    """The number of samples of sound in an observation; 0: it has no sound."""
    if not options.get("audio_buffer"):
        return 0
    return _sampling_rate(cfg) // _TICS_PER_SECOND * _tics(options, "audio_buffer_size")


def _tics(options: Mapping[str, Any], name: str) -> int:
    """The tics that a buffer covers; those of a step unless the option says otherwise."""
    return int(options.get(name) or options.get("frame_skip", 1))


def _sampling_rate(cfg: Cfg) -> int:
    name = cfg.texts["audio_sampling_rate"]
    if name not in _SAMPLING_RATES:
        raise CfgError(
            f"audio_sampling_rate is {name!r}, expected one of {', '.join(_SAMPLING_RATES)}"
        )
    return _SAMPLING_RATES[name]


def _resolution(text: str) -> tuple[int, int]:
    width, _, height = text.lower().removeprefix("res_").partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) >= 100 and int(height) >= 100):
        raise CfgError(
            f"screen_resolution is {text!r}, expected width and height that the engine can draw, "
            "such as '160x120' or '320x240'"
        )
    return int(width), int(height)


def _arguments(
    options: Mapping[str, Any], cfg: Cfg, folder: Path, root: Path, screen: tuple[int, int, int]
) -> list[str]:
    """The engine's command line, with what vizdoom's DoomGame says there, in its order."""
    width, height, screen_format = screen
    aspect = next((n for (w, h), n in _ASPECTS.items() if width * h == height * w), 0)
    mode = sum(cfg.flags[name] << bit for bit, name in enumerate(_RENDER_BITS))
    engine = options.get("vzd_path") or root / "vizdoom"
    game = options.get("iwad_path") or cfg.texts["doom_game_path"] or "freedoom2.wad"
    wad = options.get("wad_path") or cfg.texts["doom_scenario_path"]
    result = [str(_file(engine, folder, root, "vzd_path", ""))]
    result += ["-iwad", str(_file(game, folder, root, "iwad_path", ".wad"))]
    if wad:
        path = _file(wad, folder, root / "scenarios", "wad_path", ".wad")
        _check_map(path)
        result += ["-file", str(path)]
    # Nothing is kept from run to run: what is written there is nowhere.
    result += ["-config", "/dev/null", "+map", cfg.texts["doom_map"]]
    result += ["-skill", str(min(5, max(1, cfg.counts["doom_skill"])))]
    result += ["-width", str(width), "-height", str(height), "+vid_aspect", str(aspect)]
    result += ["+fullscreen", "0", "+viz_controlled", "1", "+use_mouse", "0"]
    # Nodes of maps that take long to build would be stored in the engine's folder, which is the package's.
    result += ["+gl_cachenodes", "0"]
    for name in ("depth", "labels", "automap"):
        if cfg.flags[f"{name}_buffer_enabled"]:
            result += [f"+viz_{name}", "1"]
    if cfg.flags["automap_buffer_enabled"]:
        result += ["+viz_automap_mode", str(_automap_mode(cfg.texts["automap_mode"]))]
    result += ["+viz_render_mode", str(mode), "+viz_noconsole", "1"]
    result += ["+viz_screen_format", str(screen_format)]
    result += ["+viz_window_hidden", "1", "+viz_noxserver", "1"]
    result += ["-noidle", "-nojoy", *_sound(options, cfg)]
    if options.get("notifications_buffer"):
        tics = _tics(options, "notifications_buffer_size")
        result += ["+viz_notifications", "1", "+viz_notifications_tics", str(tics)]
    if cfg.counts["ticrate"] != 35:
        result += ["-ticrate", str(cfg.counts["ticrate"])]
    more = [*cfg.arguments, *str(options.get("game_args") or "").split()]
    check_arguments(more)
    return [*result, *more]


def _sound(options: Mapping[str, Any], cfg: Cfg) -> list[str]:
    if not options.get("audio_buffer"):
        return ["-nosound", "+viz_nosound", "1"]
    result = ["+viz_soft_audio", "1", "+snd_backend", "openal", "+viz_samp_freq"]
    result += [str(_sampling_rate(cfg)), "+viz_audio_tics"]
    return [*result, str(_tics(options, "audio_buffer_size"))]


def _automap_mode(name: str) -> int:
    if name not in _AUTOMAP_MODES:
        raise CfgError(f"automap_mode is {name!r}, expected one of {', '.join(_AUTOMAP_MODES)}")
    return _AUTOMAP_MODES.index(name)


def _check_map(path: Path) -> None:
    """The engine loads a file of any other kind as one lump, and plays without the map."""
    try:
        with path.open("rb") as file:
            begin = file.read(4)
    except OSError as error:
        raise CfgError(
            f"wad_path is {str(path)!r}, which cannot be read: {error.strerror}"
        ) from None
    if begin not in (b"PWAD", b"IWAD", b"PK\3\4", b"7z\xbc\xaf"):
        raise CfgError(
            f"wad_path is {str(path)!r}, which is no map: expected a WAD file, which begins with PWAD or IWAD, "
            "or a PK3 or PK7 archive"
        )


def _file(name: str | Path, folder: Path, root: Path, option: str, suffix: str) -> Path:
    """A file as the user says, or beside the cfg, or in the package."""
    tried = [Path(name), folder / name, root / Path(name).name]
    for path in (*tried, *(each.with_name(each.name + suffix) for each in tried if suffix)):
        if path.is_file():
            return path.absolute()
    raise CfgError(
        f"there is no {name}, neither as {tried[0].absolute()} nor in {folder} and {root}; "
        f"{option} says where it is"
    )
