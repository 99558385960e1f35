// swift-format-ignore-file
public import Foundation
public import Trellis

/// Not found? The generator and the Trellis library are of different versions: build again with one.
public typealias _$ValuesGoldenMacros = (GeneratedCode1, Date)

/// Not found? The target needs the plugin 'GenerateModels' in Package.swift.
typealias _$AddThePluginGenerateModelsToTheTarget = Swift::Void

/// Of a model: expanded by Trellis.
@freestanding(expression)
@_spi(TrellisMacros) public macro Predicate<Input: Trellis::PersistentModel>(
  _ body: (Input) -> Swift::Bool
) -> Foundation::Predicate<Input> = #externalMacro(module: "TrellisMacros", type: "PredicateMacro")

/// Of other types: expanded by Foundation.
@freestanding(expression)
@_spi(TrellisMacros) public macro Predicate<Input>(
  _ body: (Input) -> Swift::Bool
) -> Foundation::Predicate<Input> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

/// Of other types: expanded by Foundation.
@freestanding(expression)
@_spi(TrellisMacros) public macro Predicate<Input, each More>(
  _ body: (Input, repeat each More) -> Swift::Bool
) -> Foundation::Predicate<Input, repeat each More> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

/// Of a model: expanded by Trellis.
@freestanding(expression)
@_spi(TrellisMacros) public macro Expression<Input: Trellis::PersistentModel, Output>(
  _ body: (Input) -> Output
) -> Foundation::Expression<Input, Output> = #externalMacro(module: "TrellisMacros", type: "ExpressionMacro")

/// Of other types: expanded by Foundation.
@freestanding(expression)
@_spi(TrellisMacros) public macro Expression<Input, Output>(
  _ body: (Input) -> Output
) -> Foundation::Expression<Input, Output> = #externalMacro(module: "FoundationMacros", type: "ExpressionMacro")

/// Of other types: expanded by Foundation.
@freestanding(expression)
@_spi(TrellisMacros) public macro Expression<Input, each More, Output>(
  _ body: (Input, repeat each More) -> Output
) -> Foundation::Expression<Input, repeat each More, Output> = #externalMacro(module: "FoundationMacros", type: "ExpressionMacro")
