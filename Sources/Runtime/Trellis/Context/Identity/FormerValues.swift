/// Former values of models changed since the last save. Rows are stored in batches, because two allocations per model
/// took longer than the rest of a change.
struct FormerValues {
  /// A buffer is released when all models in it have released their rows, so a changed model keeps at most this many
  /// rows alive.
  private static let mostRows = 256

  private var buffers: [ObjectIdentifier: Open] = [:]
  /// The buffer written last.
  private var last: Open?

  private struct Open {
    let definition: ModelDefinition
    let buffer: SnapshotBuffer
    let capacity: Int
  }

  /// Stores a model's current values.
  mutating func capture(_ model: any PersistentModel, _ definition: ModelDefinition) -> FormerRow {
    let buffer: SnapshotBuffer
    if let last, last.definition === definition, last.buffer.count < last.capacity {
      buffer = last.buffer
    } else {
      buffer = open(definition)
    }
    let index = buffer.count
    definition.codec.capture(model, into: buffer)
    return FormerRow(buffer, index)
  }

  private mutating func open(_ definition: ModelDefinition) -> SnapshotBuffer {
    let key = ObjectIdentifier(definition)
    let known = last?.definition === definition ? last : buffers[key]
    if let last { buffers[ObjectIdentifier(last.definition)] = last }
    if let known, known.buffer.count < known.capacity {
      last = known
      return known.buffer
    }
    // Never exceeds the requested capacity, because growing would move rows that a store may be reading.
    let capacity = known.map { min($0.capacity * 8, Self.mostRows) } ?? 1
    let buffer = definition.codec.makeBuffer(capacity: capacity)
    last = Open(definition: definition, buffer: buffer, capacity: capacity)
    return buffer
  }

  /// Stops writing to the current buffers, because a store receives the rows or because no changes remain.
  mutating func close() {
    last = nil
    if !buffers.isEmpty { buffers = [:] }
  }
}
