// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Trellis", path: "..")],
  targets: [
    .systemLibrary(
      name: "CSQLiteRaw", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CPostgresRaw", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "LargeModels",
      dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CSQLiteRaw", "CPostgresRaw", "LargeModels", .product(name: "Trellis", package: "Trellis"),
        .product(name: "TrellisPostgres", package: "Trellis"),
        // Not linked. Benchmarks run the tools, so they must be built.
        .product(name: "trellis", package: "Trellis"), .product(name: "trellis-store", package: "Trellis"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
  ],
  swiftLanguageModes: [.v6]
)
