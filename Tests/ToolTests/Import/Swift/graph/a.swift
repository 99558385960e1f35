import SwiftData
import Foundation
@Model final class Node { var name: String = ""
  var parent: Node?
  @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node]? = []
  var link: Node?
  @Relationship var related: [Node] = []
  @Relationship(deleteRule: .nullify, inverse: \Node.peers) var peers: [Node] = []
  @Relationship(minimumModelCount: 1, maximumModelCount: 3) var few: [Leaf] = [Leaf()]
  var leaves: [Leaf] = []
  init() {} }
@Model final class Leaf { var a: Node?; @Relationship(inverse: \Node.leaves) var b: Node?; @Relationship(inverse: \Node.leaves) var c: Node?; @Relationship(inverse: \Node.nothing) var d: Node?; init() {} }
