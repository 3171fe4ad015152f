//! `decidendi schema NAME`: the published schemas, as they stood when the program was built.

use crate::args::{Schema, SchemaName};
use crate::exit::Exit;
use crate::print::Out;

pub fn run(args: &Schema) -> Exit {
    let mut out = Out::new(true);
    out.text(match args.name {
        SchemaName::Case => include_str!("../../../../docs/schemas/case.schema.json"),
        SchemaName::Inspect => include_str!("../../../../docs/schemas/inspect.schema.json"),
        SchemaName::Certificate => include_str!("../../../../docs/schemas/certificate.schema.json"),
        SchemaName::Study => include_str!("../../../../docs/schemas/study.schema.json"),
        SchemaName::StepValue => include_str!("../../../../docs/schemas/step-value.schema.json"),
        SchemaName::Bundle => include_str!("../../../../docs/schemas/bundle.schema.json"),
        SchemaName::AcquirePlan => include_str!("../../../../docs/schemas/acquire-plan.schema.json"),
    });
    out.finish(Exit::Holds)
}
