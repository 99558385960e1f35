// One hundred models, generated from Schemas/LargeModels/Large.schema. They are in a separate module, so that changes
// to the benchmarks do not recompile them.
