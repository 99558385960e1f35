// swift-format-ignore-file
public import Foundation
public import Trellis

/// Not found? The generator and the Trellis library are of different versions: build again with one.
public typealias _$ValuesGoldenVersions = (Trellis::GeneratedCode1, Foundation::Date)
