"""Mistakes in the TIA: registers, objects, and what is drawn along a line."""

from __future__ import annotations

from mutant import Mutant

WRITE, BEAM, OBJECTS = "tia/register_write.hpp", "tia/beam.cpp", "tia/objects.cpp"
SEGMENT, MOTION = "tia/segment.cpp", "tia/motion.hpp"

PICTURE_MUTANTS = [
    Mutant(
        "player reset five after",
        "scattered",
        WRITE,
        "reset_position(3, 5)",
        "reset_position(3, 4)",
    ),
    Mutant(
        "player reset in blank", "scattered", WRITE, "reset_position(3, 5)", "reset_position(2, 5)"
    ),
    Mutant("copy goes on", "scattered", WRITE, "copy_goes_on = 11", "copy_goes_on = 12"),
    Mutant(
        "playfield that waits",
        "playfield without symmetry",
        WRITE,
        "&& !awaits_drawing(part, after(clock, delay))",
        "",
    ),
    Mutant(
        "playfield's right part",
        "playfield without symmetry",
        WRITE,
        "{{0, 80, 16}",
        "{{0, 96, 16}",
    ),
    Mutant(
        "playfield's reflected part",
        "playfield without symmetry",
        WRITE,
        "{{0, 144, 16}",
        "{{0, 80, 16}",
    ),
    Mutant(
        "next line's playfield",
        "playfield without symmetry",
        WRITE,
        "end - line_clocks > now.left",
        "false",
    ),
    Mutant("size delay", "scattered", WRITE, "size_delay = 8", "size_delay = 7"),
    Mutant("graphics delay", "scattered", WRITE, "delayed = 1;", "delayed = 0;"),
    *[
        Mutant(f"playfield phase {i}", "scattered", WRITE, "{4, 5, 2, 3}", after)
        for i, after in enumerate(["{3, 5, 2, 3}", "{4, 4, 2, 3}", "{4, 5, 3, 3}", "{4, 5, 2, 4}"])
    ],
    Mutant("reflection latch", "playfield alone", WRITE, "blank_clocks + 79", "blank_clocks + 76"),
    Mutant(
        "vsync length",
        "vsyncs",
        WRITE,
        "after(clock, line_clocks)",
        "after(clock, line_clocks + 3)",
    ),
    Mutant("Dolphin", "after hmove", WRITE, "since_hmove == 20 * 3", "since_hmove == 20"),
    Mutant(
        "Pitfall II",
        "after hmove",
        WRITE,
        "p == 1 && since_hmove == 3 * 3",
        "p == 1 && since_hmove == 3",
    ),
    Mutant("Mindmaster", "after hmove", WRITE, "since_hmove == 18 * 3", "since_hmove == 18"),
    Mutant(
        "Decathlon",
        "after hmove",
        WRITE,
        "    if (since_hmove == 3 * 3 &&",
        "    if (since_hmove == 3 &&",
    ),
    Mutant("Robot Tank", "after hmove", WRITE, "since_hmove == 7 * 3", "since_hmove == 7"),
    Mutant("Hole Hunter", "after hmove", WRITE, "since_hmove == 6 * 3", "since_hmove == 6"),
    Mutant("missile in the middle", "scattered", WRITE, "mode == 7 ? 16 : 4", "mode == 7 ? 16 : 5"),
    Mutant("Cosmic Ark begins", "after hmove", WRITE, "== 21 * 3 && s.hm", "== 22 * 3 && s.hm"),
    Mutant("Cosmic Ark steps", "after hmove", BEAM, "{18, 33, 0, 17}", "{18, 33, 0, 16}"),
    Mutant(
        "Cosmic Ark hides", "after hmove", BEAM, "? MissileShape::hidden", "? MissileShape::plain"
    ),
    Mutant("hmove early", "moves", MOTION, "(70 - 3 * cycle)", "(71 - 3 * cycle)"),
    Mutant("hmove late", "moves", MOTION, "(222 - 3 * cycle)", "(220 - 3 * cycle)"),
    Mutant("hmove blank", "moves", MOTION, "last_blank_cycle = 20", "last_blank_cycle = 21"),
    Mutant(
        "line ends late",
        "long frames",
        BEAM,
        "clock > s.drawn_until + s.line_left",
        "clock >= s.drawn_until + s.line_left",
    ),
    Mutant(
        "first copy comes back", "scattered", "tia/objects.hpp", "    s.first_hidden[p] = 0;\n", ""
    ),
    Mutant(
        "score shortcut",
        "playfield alone",
        SEGMENT,
        "score && enabled == bit(Object::playfield)",
        "score && false",
    ),
    Mutant(
        "score over player 1",
        "playfield alone",
        SEGMENT,
        "const bool score = (s.ctrlpf & score_bit) != 0;\n  const LineMask",
        "const bool score = false;\n  const LineMask",
    ),
    Mutant(
        "latch order",
        "scattered",
        SEGMENT,
        "    {Object::missile0, Object::player1},\n    {Object::missile0, Object::player0},",
        "    {Object::missile0, Object::player0},\n    {Object::missile0, Object::player1},",
    ),
    Mutant(
        "overshoot", "cut short", SEGMENT, "if (canvas.eager) overshoot", "if (false) overshoot"
    ),
    Mutant(
        "wide players start late",
        "scattered",
        OBJECTS,
        "uint64_t{twice[graphics]} << 1",
        "uint64_t{twice[graphics]}",
    ),
    Mutant("start clocks", "scattered", OBJECTS, "start_clocks = 4", "start_clocks = 5"),
    Mutant(
        "forced end",
        "long frames",
        BEAM,
        "s.frame_limit = s.frame_start + line_clocks * (tv.most_lines + 1)",
        "s.frame_limit = s.frame_start + line_clocks * tv.most_lines",
    ),
    Mutant(
        "a playfield behind what is drawn",
        "drawn ahead",
        WRITE,
        "std::max(between(s.drawn_until, until), 0)",
        "between(s.drawn_until, until)",
    ),
    Mutant(
        "what an object left on its line",
        "scattered",
        BEAM,
        "    note(line, object, stale ? mask_of(s, object) : s.masks[object], from, to);\n",
        "",
    ),
    Mutant("a line begins anew", "scattered", "tia/line.hpp", "    noted = 0;\n", ""),
    Mutant(
        "score colours of a playfield that is alone for a while",
        "repeated",
        BEAM,
        "if ((s.ctrlpf & both) == both) return draw_until(s, canvas, to);",
        "",
    ),
    Mutant(
        "colours change along a line",
        "scattered",
        WRITE,
        "canvas.draw) draw_all()",
        "false) draw()",
    ),
    Mutant(
        "a missile beside its player",
        "scattered",
        SEGMENT,
        "made[w] = objects.masks[a][w] | objects.masks[b][w]",
        "made[w] = objects.masks[a][w]",
    ),
    Mutant(
        "a late write ends the frame",
        "long frames",
        "tia/write.cpp",
        "    if (overdue) w.end_frame();\n",
        "",
    ),
]
