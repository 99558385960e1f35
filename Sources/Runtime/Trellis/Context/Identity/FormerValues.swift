/// The former values of the models of a context that have changed since the last save: side by side,
/// since two allocations for each of them took longer than everything else about a change.
struct FormerValues {
  /// A buffer goes when none of its models needs it any more: one that remains changed keeps the rows of
  /// at most so many others.
  private static let mostRows = 256

  private var buffers: [ObjectIdentifier: Open] = [:]
  /// The one that was written to last.
  private var last: Open?

  private struct Open {
    let definition: ModelDefinition
    let buffer: SnapshotBuffer
    let capacity: Int
  }

  /// Keeps the present values of a model.
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
    // Never more than was requested: what grew would move rows that a store may be reading.
    let capacity = known.map { min($0.capacity * 8, Self.mostRows) } ?? 1
    let buffer = definition.codec.makeBuffer(capacity: capacity)
    last = Open(definition: definition, buffer: buffer, capacity: capacity)
    return buffer
  }

  /// Ends writing to the present buffers, because a store gets their rows, or no model is changed any more.
  mutating func close() {
    last = nil
    if !buffers.isEmpty { buffers = [:] }
  }
}
