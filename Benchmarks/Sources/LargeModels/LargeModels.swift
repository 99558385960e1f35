// A hundred models, generated from Schemas/LargeModels/Large.schema. They are a module of their own, so
// that they are compiled once and not with every change of the benchmarks.
