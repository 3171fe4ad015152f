//! The lifted evaluator equals the interpreter in every cell, errors included.

use std::sync::Arc;

use proptest::prelude::*;

use super::random::{Dice, Subset, condition, environment, value};
use crate::judgment::expr::{
    Bits, Env, FIXED, Inputs, Masks, NameId, Program, Registers, Scope, Slot, Texts, holds, read,
};
use crate::judgment::value::Value;
use crate::watch::Unwatched;

struct Cell<'c> {
    values: &'c [[Option<Value>; 2]],
    sources: &'c [u8],
    cell: u32,
}

impl Scope for Cell<'_> {
    fn value(&self, name: NameId) -> Option<&Value> {
        let source = self.sources[usize::from(name.0)];
        self.values[usize::from(name.0)][(self.cell >> source & 1) as usize].as_ref()
    }
}

/// Random values and sources for the names of the environment; some are absent, some fixed.
fn inputs(dice: &mut Dice, env: &Env, k: usize) -> (Vec<[Option<Value>; 2]>, Vec<u8>) {
    let mut values = Vec::new();
    let mut sources = Vec::new();
    for name in env.names() {
        let mut one = || (dice.below(10) != 0).then(|| value(dice, &name.ty));
        let (old, new) = (one(), one());
        if dice.below(6) == 0 {
            sources.push(FIXED);
            values.push([old.clone(), old]);
        } else {
            sources.push(dice.below(k) as u8);
            values.push([old, new]);
        }
    }
    (values, sources)
}

fn agree(seed: u64, k: usize, depth: usize) {
    let env = environment();
    let mut dice = Dice(seed);
    let text = condition(&mut dice, Subset::All, depth);
    let read = read(&text, &env).unwrap_or_else(|e| panic!("{text}: {e}"));
    let mut texts = Texts::of(&env);
    let program = Program::compile(&read, &env, &mut texts);
    let (values, sources) = inputs(&mut dice, &env, k);
    let mut number = |t: &Arc<str>| texts.number(t).unwrap_or(1 << 30);
    let mut slot = |v: &Option<Value>| v.as_ref().map_or(Slot::ABSENT, |v| Slot::of(v, &mut number));
    let slots: Vec<[Slot; 2]> = values.iter().map(|[old, new]| [slot(old), slot(new)]).collect();
    let inputs = Inputs { slots: &slots, sources: &sources, values: &values, watch: &Unwatched };
    let (mut registers, mut kept) = (Registers::default(), Registers::default());
    for block in 0..(1_u32 << k).div_ceil(64) {
        let masks = Masks::block(block);
        let bits = program.run(&inputs, &masks, &mut registers);
        let flipped = if block == 0 { u32::MAX } else { (block ^ (block - 1)) << Masks::WITHIN };
        assert_eq!(bits, program.rerun(&inputs, &masks, &mut kept, flipped), "{text}");
        for at in 0..(1_u32 << k).min(64) {
            let scope = Cell { values: &values, sources: &sources, cell: block * 64 + at };
            let (holding, erring) = (bits.holds >> at & 1 == 1, bits.errs >> at & 1 == 1);
            let plain = holds(&read.root, &scope);
            assert_eq!(plain == Ok(true), holding, "{text} in cell {}", scope.cell);
            assert_eq!(plain.is_err(), erring, "{text} in cell {}", scope.cell);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn lifted_equals_interpreted(seed in any::<u64>(), k in 1_usize..=8, depth in 0_usize..=4) {
        agree(seed, k, depth);
    }
}

#[test]
fn masks_say_which_cells_take_a_revision() {
    for block in 0..4 {
        let masks = Masks::block(block);
        for source in 0..8 {
            for at in 0..64 {
                let cell = block * 64 + at;
                assert_eq!(masks.of(source) >> at & 1 == 1, cell >> source & 1 == 1);
            }
        }
        assert_eq!(masks.of(FIXED), 0);
    }
    assert_eq!(Bits::default(), Bits { holds: 0, errs: 0 });
}
