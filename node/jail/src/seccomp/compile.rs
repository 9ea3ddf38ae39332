//! Compiles the policy to classic BPF: merged ranges of equal verdicts, found by binary search.

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W,
    sock_filter,
};

use super::policy::{CHECKS, Check, TABLE, Verdict, table};

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
/// `AUDIT_ARCH_X86_64`.
const X86_64: u32 = 0xC000_003E;

/// The filter program of a run. Another architecture kills the process; numbers past the table (x32 ones too) answer ENOSYS.
pub(crate) fn compile() -> Vec<sock_filter> {
    let mut ranges: Vec<(u32, Verdict)> = Vec::new();
    for (number, verdict) in (0..).zip(table()) {
        if ranges.last().is_none_or(|(_, last)| *last != verdict) {
            ranges.push((number, verdict));
        }
    }
    let mut program = vec![
        load(ARCHITECTURE),
        jump(BPF_JEQ, X86_64, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JGE, TABLE as u32, 0, 1),
        fail(libc::ENOSYS as u16),
    ];
    search(&ranges, &mut program);
    program
}

/// A balanced tree over the ranges; far branches go through an unconditional jump, whose distance is not limited to 255.
fn search(ranges: &[(u32, Verdict)], program: &mut Vec<sock_filter>) {
    let (low, high) = ranges.split_at(ranges.len() / 2);
    match (low.is_empty(), high.first()) {
        (false, Some((boundary, _))) => {
            let mut below = Vec::new();
            search(low, &mut below);
            program.push(jump(BPF_JGE, *boundary, 0, 1));
            program.push(statement(BPF_JMP | BPF_JA, below.len() as u32));
            program.append(&mut below);
            search(high, program);
        }
        (true, Some((_, verdict))) => leaf(*verdict, program),
        (_, None) => {}
    }
}

fn leaf(verdict: Verdict, program: &mut Vec<sock_filter>) {
    match verdict {
        Verdict::Allow => program.push(ret(libc::SECCOMP_RET_ALLOW)),
        Verdict::Fail(errno) => program.push(fail(errno)),
        Verdict::Check(index) => check(&CHECKS[index], program),
    }
}

fn check(check: &Check, program: &mut Vec<sock_filter>) {
    let low = ARGUMENTS + 8 * check.argument;
    if check.whole {
        program.extend([
            load(low + 4),
            jump(BPF_JEQ, 0, 1, 0),
            fail(libc::EPERM as u16),
        ]);
    }
    program.push(load(low));
    if check.mask != u32::MAX {
        program.push(statement(BPF_ALU | BPF_AND | BPF_K, check.mask));
    }
    for (index, value) in check.values.iter().enumerate() {
        program.push(jump(BPF_JEQ, *value, (check.values.len() - index) as u8, 0));
    }
    program.extend([fail(libc::EPERM as u16), ret(libc::SECCOMP_RET_ALLOW)]);
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    }
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn jump(test: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter {
        code: (BPF_JMP | test | BPF_K) as u16,
        jt,
        jf,
        k,
    }
}

fn ret(k: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, k)
}

fn fail(errno: u16) -> sock_filter {
    ret(libc::SECCOMP_RET_ERRNO | u32::from(errno))
}
