//! Corridor: walk to the right end of a corridor whose start is random. A plugin in Zig.
//!
//! `abi` is parallel_pool/abi.h as `zig translate-c` reads it: nothing of the header is repeated
//! here, and a member that it does not have is an error of the compiler.
const std = @import("std");
const abi = @import("abi");
const version = @import("version");

const length = 10;

// ---- what it looks like -------------------------------------------------------------------------
const Fields = enum(usize) { obs, reward, terminated, action };
const last_place: i32 = length;
const bounds = [2]i32{ 0, 1 };
const first_place: i32 = 0;

fn field(role: u32, kind: u32, dtype: u32) abi.pp_field {
    return .{ .struct_size = @sizeOf(abi.pp_field), .role = role, .kind = kind, .dtype = dtype, .name = "" };
}

fn bounded(from: abi.pp_field, low: *const i32, high: *const i32) abi.pp_field {
    var with = from;
    with.low = low;
    with.high = high;
    with.n_low = 1;
    with.n_high = 1;
    return with;
}

const obs = bounded(field(abi.PP_ROLE_OBS, abi.PP_KIND_DISCRETE, abi.PP_INT32), &first_place, &last_place);
const reward = field(abi.PP_ROLE_REWARD, abi.PP_KIND_BOX, abi.PP_FLOAT64);
const terminated = field(abi.PP_ROLE_TERMINATED, abi.PP_KIND_MULTI_BINARY, abi.PP_BOOL);
const action = bounded(field(abi.PP_ROLE_ACTION, abi.PP_KIND_DISCRETE, abi.PP_INT32), &bounds[0], &bounds[1]);
const fields = [_][*c]const abi.pp_field{ &obs, &reward, &terminated, &action };
const spec = abi.pp_spec{
    .struct_size = @sizeOf(abi.pp_spec),
    .n_field = fields.len,
    .field = &fields,
    .max_players = 1,
    .max_episode_steps = 100,
    .reward_threshold = 1,
};

fn describe(_: [*c]const abi.pp_host, _: [*c]const abi.pp_value) callconv(.c) [*c]const abi.pp_spec {
    return &spec;
}

fn releaseSpec(_: [*c]const abi.pp_spec) callconv(.c) void {}

// ---- what it does -------------------------------------------------------------------------------
const Lane = struct {
    random: std.Random.DefaultPrng = .init(0),
    place: i32 = 0,
};
const Shard = struct { lanes: []Lane };
const allocator = std.heap.page_allocator;

fn create(host: [*c]const abi.pp_host, shard: [*c]const abi.pp_shard) callconv(.c) ?*anyopaque {
    return build(shard[0].count) catch {
        host[0].set_error.?(host, abi.PP_ALL_LANES, "not enough memory for the corridors");
        return null;
    };
}

fn build(count: u32) !*Shard {
    const self = try allocator.create(Shard);
    errdefer allocator.destroy(self);
    self.lanes = try allocator.alloc(Lane, count);
    for (self.lanes) |*lane| lane.* = .{};
    return self;
}

fn destroy(self: ?*anyopaque) callconv(.c) void {
    const shard: *Shard = @ptrCast(@alignCast(self.?));
    allocator.free(shard.lanes);
    allocator.destroy(shard);
}

// The rows of one field in one call.
fn rows(comptime T: type, call: *const abi.pp_lanes, which: Fields) [*]T {
    return @ptrCast(@alignCast(call.field[@intFromEnum(which)].?));
}

fn show(lane: *const Lane, call: *const abi.pp_lanes, row: usize) void {
    const there = lane.place == length;
    rows(i32, call, .obs)[row] = lane.place;
    rows(f64, call, .reward)[row] = if (there) 1 else 0;
    rows(u8, call, .terminated)[row] = @intFromBool(there);
}

fn reset(self: ?*anyopaque, lanes: [*c]const abi.pp_lanes) callconv(.c) i32 {
    const shard: *Shard = @ptrCast(@alignCast(self.?));
    const call: *const abi.pp_lanes = lanes;
    for (shard.lanes[call.first..][0..call.count], 0..) |*lane, row| {
        if (call.mask != null and call.mask[row] == 0) continue;
        if (call.seed != null) lane.random = .init(call.seed[row]);
        lane.place = lane.random.random().intRangeLessThan(i32, 0, length);
        show(lane, call, row);
    }
    return 0;
}

fn step(self: ?*anyopaque, lanes: [*c]const abi.pp_lanes) callconv(.c) i32 {
    const shard: *Shard = @ptrCast(@alignCast(self.?));
    const call: *const abi.pp_lanes = lanes;
    const actions = rows(i32, call, .action);
    for (shard.lanes[call.first..][0..call.count], 0..) |*lane, row| {
        if (call.mask != null and call.mask[row] == 0) continue;
        const wanted = lane.place + 2 * actions[row] - 1;
        lane.place = std.math.clamp(wanted, 0, length);
        show(lane, call, row);
    }
    return 0;
}

// ---- the plugin ---------------------------------------------------------------------------------
const env = abi.pp_env{
    .struct_size = @sizeOf(abi.pp_env),
    .preferred_lanes = 64,
    .id = "corridor/Corridor-v0",
    .summary = "Walk to the end of a corridor",
    .describe = describe,
    .release_spec = releaseSpec,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .step = step,
};
const envs = [_][*c]const abi.pp_env{&env};

export const parallel_pool_plugin = abi.pp_plugin{
    .magic = abi.PP_ABI_MAGIC,
    .abi_major = abi.PP_ABI_MAJOR,
    .abi_minor = abi.PP_ABI_MINOR,
    .min_host_minor = abi.PP_ABI_MIN_HOST,
    .name = "corridor",
    .version = version.text,
    .struct_size = @sizeOf(abi.pp_plugin),
    .n_env = envs.len,
    .env = &envs,
};
