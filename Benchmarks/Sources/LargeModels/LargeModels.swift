// One hundred models, generated from Schemas/LargeModels/Large.schema. They are a separate module, so that a change of
// the benchmarks does not compile them again.
