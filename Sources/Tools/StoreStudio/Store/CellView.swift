import CSQLite
import StoreTransfer
import Trellis

/// A value as the page shows it.
struct CellView: Encodable, Sendable {
  var text = ""
  /// The stored form, if the text differs from it.
  var raw: String?
  /// True if the text is only the value's beginning, or if the value is data.
  var isCut: Bool?
  /// The size of a cut value.
  var bytes: Int?
  /// The reason why the stored value is not one of the property's type.
  var problem: String?
  /// The row that a to-one relationship leads to.
  var key: String?
  var entity: String?
  var isImage: Bool?

  /// The longest text that is shown at once, in bytes.
  static let longest = 1_000
}

extension CellView {
  /// Reads a column of a statement's current row; nil for NULL.
  static func read(_ column: StudioSchema.Column, _ statement: Statement, _ index: Int32) -> CellView? {
    let row = statement.handle
    guard !statement.isNull(index) else { return nil }
    guard let cell = Cell(column.form, row, index) else {
      var view = CellView(Statement.bytes(row, index))
      view.problem = "not \(column.form.noun)"
      return view
    }
    switch cell {
    case .null: return nil
    case .boolean(let value): return CellView(text: "\(value)")
    case .integer(let value):
      if let destination = column.destination { return CellView(text: "", key: "\(value)", entity: destination) }
      return column.named("\(value)")
    case .unsigned(let value): return CellView(text: "\(value)")
    case .real(let value): return CellView(text: "\(value)")
    case .float(let value): return CellView(text: "\(value)")
    case .text(let bytes):
      return column.cases.isEmpty ? CellView(bytes) : column.named(String(decoding: bytes, as: UTF8.self))
    case .json(let bytes): return CellView(bytes)
    case .date(let seconds): return CellView(text: dateText(seconds), raw: "\(seconds)")
    case .data(let bytes):
      return CellView(isCut: true, bytes: bytes.count, isImage: ImageType(bytes) == nil ? nil : true)
    case .file(let name):
      return CellView(isCut: true, bytes: ExternalFolder.length(of: String(decoding: name, as: UTF8.self)))
    }
  }

  /// Creates a view of a text, or of its beginning.
  private init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > Self.longest else {
      text = String(decoding: bytes, as: UTF8.self)
      return
    }
    // A character is not cut in the middle.
    var end = Self.longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    text = String(decoding: bytes[..<end], as: UTF8.self)
    isCut = true
    self.bytes = bytes.count
  }

  /// Returns a date in UTC, or the stored number if it has no calendar date.
  static func dateText(_ seconds: Double) -> String {
    var text = ""
    var sink = ByteSink(capacity: 64) { text += String(decoding: $0, as: UTF8.self) }
    guard CalendarText.append(seconds, to: &sink) else { return "\(seconds)" }
    sink.flush()
    return text
  }
}

/// The columns that a query selects for the cells of a row.
struct CellColumns {
  private let columns: [StudioSchema.Column]
  private(set) var selected: [SQLFragment]
  /// The selected columns with the sizes of data of which only the beginning is selected, by cell.
  private var sizes: [Int: Int32] = [:]

  init(_ columns: [StudioSchema.Column], in database: any StudioDatabase) {
    self.columns = columns
    selected = columns.map { "\(column: $0.sql, of: StoreReader.alias)" }
    for index in columns.indices where [.data, .external].contains(columns[index].form) {
      guard let preview = database.preview(of: selected[index]) else { continue }
      sizes[index] = Int32(selected.count)
      selected[index] = preview.beginning
      selected.append(preview.size)
    }
  }

  /// Reads the cells of a statement's current row.
  func cells(_ statement: Statement) -> [CellView?] {
    columns.indices.map { index in
      var view = CellView.read(columns[index], statement, Int32(index))
      if let size = sizes[index] { view?.bytes = Int(statement.integer(size)) }
      return view
    }
  }
}

extension StudioSchema.Column {
  /// Returns an enum's case name, or the value itself.
  fileprivate func named(_ value: String) -> CellView {
    guard !cases.isEmpty else { return CellView(text: value) }
    guard let name = cases[value] else { return CellView(text: value, problem: "not a case of the enum") }
    return CellView(text: name, raw: value == name ? nil : value)
  }
}

/// The types of images that browsers show.
enum ImageType: String {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  init?(_ bytes: UnsafeRawBufferPointer) {
    func begins(_ start: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + start.count && bytes[offset..<offset + start.count].elementsEqual(start)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }
}
