//! What this plugin uses of parallel_pool/abi.h and ext/state.h, as `bindgen` would write it.
#![allow(dead_code)]
use std::ffi::c_void;
use std::os::raw::c_char;

pub const MAGIC: u32 = 0x4c4f_4f50;
pub const BOOL: u32 = 1;
pub const INT32: u32 = 4;
pub const FLOAT64: u32 = 11;
pub const ROLE_OBS: u32 = 1;
pub const ROLE_ACTION: u32 = 3;
pub const ROLE_REWARD: u32 = 4;
pub const ROLE_TERMINATED: u32 = 5;
pub const KIND_BOX: u32 = 1;
pub const KIND_DISCRETE: u32 = 2;
pub const KIND_MULTI_BINARY: u32 = 4;
pub const ALL_LANES: u32 = 0xffff_ffff;

#[repr(C)]
pub struct Field {
    pub struct_size: u32,
    pub role: u32,
    pub kind: u32,
    pub dtype: u32,
    pub flags: u32,
    pub ndim: u32,
    pub shape: [i64; 8],
    pub name: *const c_char,
    pub low: *const c_void,
    pub high: *const c_void,
    pub n_low: u32,
    pub n_high: u32,
}

#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub reserved: u32,
    pub version: *const c_char,
    pub set_error: extern "C" fn(*const Host, u32, *const c_char),
    pub log: extern "C" fn(*const Host, u32, *const c_char),
    pub get_extension: extern "C" fn(*const Host, *const c_char) -> *const c_void,
}

#[repr(C)]
pub struct Spec {
    pub struct_size: u32,
    pub n_field: u32,
    pub field: *const &'static Field,
    pub max_players: u32,
    pub reserved: u32,
    pub max_episode_steps: i64,
    pub reward_threshold: f64,
}

#[repr(C)]
pub struct Shard {
    pub struct_size: u32,
    pub count: u32,
    pub option: *const *const c_void,
}

#[repr(C)]
pub struct Lanes {
    pub struct_size: u32,
    pub first: u32,
    pub count: u32,
    pub flags: u32,
    pub mask: *const u8,
    pub seed: *const u64,
    pub field: *const *mut c_void,
    pub claim_rows: Option<extern "C" fn(*const Lanes)>,
    pub host_data: *mut c_void,
}

#[repr(C)]
pub struct State {
    pub struct_size: u32,
    pub n_local_option: u32,
    pub local_option: *const *const c_char,
    pub size: extern "C" fn(*mut c_void, u32) -> i64,
    pub save: extern "C" fn(*mut c_void, u32, *mut u8, u64) -> i64,
    pub load: extern "C" fn(*mut c_void, u32, *const u8, u64) -> i32,
}

#[repr(C)]
pub struct Env {
    pub struct_size: u32,
    pub flags: u32,
    pub preferred_lanes: u32,
    pub n_option: u32,
    pub id: *const c_char,
    pub summary: *const c_char,
    pub option: *const *const c_void,
    pub describe: extern "C" fn(*const Host, *const c_void) -> *const Spec,
    pub release_spec: extern "C" fn(*const Spec),
    pub create: extern "C" fn(*const Host, *const Shard) -> *mut c_void,
    pub destroy: extern "C" fn(*mut c_void),
    pub reset: extern "C" fn(*mut c_void, *const Lanes) -> i32,
    pub step: extern "C" fn(*mut c_void, *const Lanes) -> i32,
    pub get_extension: extern "C" fn(*const c_char) -> *const c_void,
}

#[repr(C)]
pub struct Plugin {
    pub magic: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub min_host_minor: u32,
    pub name: *const c_char,
    pub version: *const c_char,
    pub struct_size: u32,
    pub n_env: u32,
    pub env: *const &'static Env,
}

// Their pointers are to data that never changes.
unsafe impl Sync for Field {}
unsafe impl Sync for Spec {}
unsafe impl Sync for State {}
unsafe impl Sync for Env {}
unsafe impl Sync for Plugin {}
