// swift-tools-version: 6.3
import Foundation
import PackageDescription

// A package as users have them: no configuration but the plugin.
let trellis = ProcessInfo.processInfo.environment["TRELLIS_ROOT"] ?? "../../.."

let package = Package(
  name: "Shop",
  dependencies: [.package(name: "Trellis", path: trellis)],
  targets: [
    // A library with its schema inside: public.
    .target(
      name: "Catalogue", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // A library whose configuration asks for package access.
    .target(
      name: "Stock", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [
        .treatAllWarnings(as: .error), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
      ],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // A program with its schema in Schemas/Shop: internal.
    .executableTarget(
      name: "Shop",
      dependencies: ["Catalogue", "Stock", .product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // What a program relies on: no wrong answers.
    .executableTarget(
      name: "Answers", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // Whether stores of released versions open; compiled when there is one.
    .testTarget(
      name: "CatalogueTests",
      dependencies: ["Catalogue", .product(name: "TrellisTesting", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The author of a store, who checks it with the lines of the article on custom stores.
    .executableTarget(
      name: "CheckStore",
      dependencies: [
        .product(name: "Trellis", package: "Trellis"),
        .product(name: "TrellisJSON", package: "Trellis"),
        .product(name: "StoreConformance", package: "Trellis"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
