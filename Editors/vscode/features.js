'use strict';

// The editor features of the language server, as providers of VS Code, and the conversion of their values.

const vscode = require('vscode');

/** The documents that the server receives. */
const selector = [
  { scheme: 'file', language: 'trellis-schema' },
  { scheme: 'untitled', language: 'trellis-schema' },
];

// MARK: Values from the server

const asPosition = ({ line, character }) => new vscode.Position(line, character);
const asRange = ({ start, end }) => new vscode.Range(asPosition(start), asPosition(end));
const asUri = (uri) => vscode.Uri.parse(uri);
const asLocation = ({ uri, range }) => new vscode.Location(asUri(uri), asRange(range));
const asTextEdit = ({ range, newText }) => new vscode.TextEdit(asRange(range), newText);
const asSymbolKind = (kind) => kind - 1;

const asLink = (link) =>
  link.targetUri === undefined
    ? asLocation(link)
    : {
        originSelectionRange: link.originSelectionRange && asRange(link.originSelectionRange),
        targetUri: asUri(link.targetUri),
        targetRange: asRange(link.targetRange),
        targetSelectionRange: asRange(link.targetSelectionRange),
      };

const asMarkup = (content) => {
  if (content === undefined || typeof content === 'string') return content;
  const result = new vscode.MarkdownString();
  if (content.language !== undefined) return result.appendCodeblock(content.value, content.language);
  return content.kind === 'plaintext' ? result.appendText(content.value) : result.appendMarkdown(content.value);
};

const asCommand = (command) =>
  command && { title: command.title, command: command.command, tooltip: command.tooltip, arguments: command.arguments };

/** The server's diagnostics by VS Code's, because code actions send them back, including `data`. */
const serverDiagnostics = new WeakMap();

/**
 * Converts a diagnostic of the server.
 *
 * @param {any} diagnostic
 * @returns {vscode.Diagnostic}
 */
function asDiagnostic(diagnostic) {
  const result = new vscode.Diagnostic(asRange(diagnostic.range), diagnostic.message, (diagnostic.severity ?? 1) - 1);
  const link = diagnostic.codeDescription?.href;
  result.code = link ? { value: diagnostic.code, target: asUri(link) } : diagnostic.code;
  result.source = diagnostic.source;
  result.tags = diagnostic.tags;
  result.relatedInformation = diagnostic.relatedInformation?.map(
    (related) => new vscode.DiagnosticRelatedInformation(asLocation(related.location), related.message));
  serverDiagnostics.set(result, diagnostic);
  return result;
}

/**
 * Converts a workspace edit of the server.
 *
 * @param {any} edit
 * @returns {vscode.WorkspaceEdit | undefined}
 */
function asWorkspaceEdit(edit) {
  if (!edit) return undefined;
  const result = new vscode.WorkspaceEdit();
  for (const change of edit.documentChanges ?? []) {
    if (change.kind === 'create') {
      result.createFile(asUri(change.uri), change.options);
    } else if (change.kind === 'rename') {
      result.renameFile(asUri(change.oldUri), asUri(change.newUri), change.options);
    } else if (change.kind === 'delete') {
      result.deleteFile(asUri(change.uri), change.options);
    } else {
      const uri = asUri(change.textDocument.uri);
      for (const { range, newText } of change.edits) result.replace(uri, asRange(range), newText);
    }
  }
  // Servers send 'changes' only to clients that do not support 'documentChanges'.
  if (!edit.documentChanges) {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) result.set(asUri(uri), edits.map(asTextEdit));
  }
  return result;
}

function asCompletionItem(item) {
  const { detail, description } = item.labelDetails ?? {};
  const label = item.labelDetails ? { label: item.label, detail, description } : item.label;
  const result = new vscode.CompletionItem(label, item.kind && item.kind - 1);
  const text = item.textEdit?.newText ?? item.insertText ?? item.label;
  result.insertText = item.insertTextFormat === 2 ? new vscode.SnippetString(text) : text;
  if (item.textEdit?.range) result.range = asRange(item.textEdit.range);
  else if (item.textEdit) {
    result.range = { inserting: asRange(item.textEdit.insert), replacing: asRange(item.textEdit.replace) };
  }
  result.sortText = item.sortText;
  result.filterText = item.filterText;
  result.preselect = item.preselect;
  result.commitCharacters = item.commitCharacters;
  result.tags = item.tags;
  addDetails(result, item);
  result.served = item;
  return result;
}

/** Sets the values of a completion item that the server may send later. */
function addDetails(result, item) {
  result.detail = item.detail;
  result.documentation = asMarkup(item.documentation);
  result.additionalTextEdits = item.additionalTextEdits?.map(asTextEdit);
  result.command = asCommand(item.command);
}

function asDocumentSymbol(symbol) {
  const result = new vscode.DocumentSymbol(
    symbol.name || '…', symbol.detail ?? '', asSymbolKind(symbol.kind), asRange(symbol.range),
    asRange(symbol.selectionRange));
  result.tags = symbol.tags;
  result.children = (symbol.children ?? []).map(asDocumentSymbol);
  return result;
}

function asSymbolInformation(symbol) {
  const start = { line: 0, character: 0 };
  const location = asLocation({ range: { start, end: start }, ...symbol.location });
  return new vscode.SymbolInformation(symbol.name, asSymbolKind(symbol.kind), symbol.containerName ?? '', location);
}

function asCodeAction(action) {
  // A command has the name of the command in 'command', a code action has a whole command there.
  if (typeof action.command === 'string') return asCommand(action);
  const kind = action.kind === undefined ? undefined : vscode.CodeActionKind.Empty.append(action.kind);
  const result = new vscode.CodeAction(action.title, kind);
  result.edit = asWorkspaceEdit(action.edit);
  result.command = asCommand(action.command);
  result.isPreferred = action.isPreferred;
  result.disabled = action.disabled;
  result.diagnostics = action.diagnostics?.map(asDiagnostic);
  result.served = action;
  return result;
}

function asFoldingRange({ startLine, endLine, kind }) {
  const kinds = {
    comment: vscode.FoldingRangeKind.Comment,
    imports: vscode.FoldingRangeKind.Imports,
    region: vscode.FoldingRangeKind.Region,
  };
  return new vscode.FoldingRange(startLine, endLine, kinds[kind]);
}

function asInlayHint(hint) {
  const label =
    typeof hint.label === 'string'
      ? hint.label
      : hint.label.map((part) => {
          const result = new vscode.InlayHintLabelPart(part.value);
          result.tooltip = asMarkup(part.tooltip);
          result.location = part.location && asLocation(part.location);
          result.command = asCommand(part.command);
          return result;
        });
  const result = new vscode.InlayHint(asPosition(hint.position), label, hint.kind);
  result.tooltip = asMarkup(hint.tooltip);
  result.textEdits = hint.textEdits?.map(asTextEdit);
  result.paddingLeft = hint.paddingLeft;
  result.paddingRight = hint.paddingRight;
  return result;
}

function asCodeLens(lens) {
  const result = new vscode.CodeLens(asRange(lens.range), asCommand(lens.command));
  result.served = lens;
  return result;
}

// MARK: Values for the server

const positionOf = ({ line, character }) => ({ line, character });
const rangeOf = ({ start, end }) => ({ start: positionOf(start), end: positionOf(end) });
const identifierOf = (document) => ({ uri: document.uri.toString() });
const placeOf = (document, position) => ({ textDocument: identifierOf(document), position: positionOf(position) });
const diagnosticOf = (diagnostic) =>
  serverDiagnostics.get(diagnostic) ?? {
    range: rangeOf(diagnostic.range),
    message: diagnostic.message,
    severity: diagnostic.severity + 1,
    source: diagnostic.source,
    code: diagnostic.code?.value ?? diagnostic.code,
  };

// MARK: Providers

/**
 * A running language server, as the providers see it.
 *
 * @typedef {object} Server
 * @property {any} capabilities What the server answered to `initialize`.
 * @property {(method: string, params: any, token: vscode.CancellationToken) => Promise<any>} request Returns null if
 *   the request failed, and reports why in the output.
 * @property {(method: string, params: any, token: vscode.CancellationToken) => Promise<any>} requestOrThrow
 * @property {Record<'semanticTokens' | 'inlayHint' | 'codeLens', vscode.EventEmitter<void>>} refreshes
 */

/**
 * Registers a provider for each feature that the server supports.
 *
 * @param {Server} server
 * @returns {vscode.Disposable[]}
 */
function registerFeatures(server) {
  const { capabilities, request, requestOrThrow, refreshes } = server;
  const languages = vscode.languages;
  const disposables = [];
  /** Calls a function with the options of a capability, unless the server lacks it. */
  const ifSupported = (capability, register) => {
    if (capability) disposables.push(register(capability === true ? {} : capability));
  };
  const list = async (method, params, token, convert) => ((await request(method, params, token)) ?? []).map(convert);

  ifSupported(capabilities.completionProvider, ({ triggerCharacters = [], resolveProvider }) => {
    const provider = {
      async provideCompletionItems(document, position, token, { triggerKind, triggerCharacter }) {
        const context = { triggerKind: triggerKind + 1, triggerCharacter };
        const params = { ...placeOf(document, position), context };
        const result = await request('textDocument/completion', params, token);
        const items = (result?.items ?? result ?? []).map(asCompletionItem);
        return new vscode.CompletionList(items, result?.isIncomplete ?? false);
      },
    };
    if (resolveProvider) {
      provider.resolveCompletionItem = async (item, token) => {
        const resolved = await request('completionItem/resolve', item.served, token);
        if (resolved) addDetails(item, resolved);
        return item;
      };
    }
    return languages.registerCompletionItemProvider(selector, provider, ...triggerCharacters);
  });

  ifSupported(capabilities.hoverProvider, () =>
    languages.registerHoverProvider(selector, {
      async provideHover(document, position, token) {
        const result = await request('textDocument/hover', placeOf(document, position), token);
        if (!result) return undefined;
        return new vscode.Hover([result.contents].flat().map(asMarkup), result.range && asRange(result.range));
      },
    }));

  ifSupported(capabilities.definitionProvider, () =>
    languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, position, token) {
        const result = await request('textDocument/definition', placeOf(document, position), token);
        return result && [result].flat().map(asLink);
      },
    }));

  ifSupported(capabilities.referencesProvider, () =>
    languages.registerReferenceProvider(selector, {
      provideReferences: (document, position, { includeDeclaration }, token) =>
        list('textDocument/references', { ...placeOf(document, position), context: { includeDeclaration } }, token,
          asLocation),
    }));

  ifSupported(capabilities.documentSymbolProvider, () =>
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document, token) =>
        list('textDocument/documentSymbol', { textDocument: identifierOf(document) }, token, (symbol) =>
          symbol.location ? asSymbolInformation(symbol) : asDocumentSymbol(symbol)),
    }));

  ifSupported(capabilities.workspaceSymbolProvider, () =>
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (query, token) => list('workspace/symbol', { query }, token, asSymbolInformation),
    }));

  ifSupported(capabilities.codeActionProvider, ({ codeActionKinds, resolveProvider }) => {
    const provider = {
      provideCodeActions(document, range, { diagnostics, only, triggerKind }, token) {
        const context = { diagnostics: diagnostics.map(diagnosticOf), only: only && [only.value], triggerKind };
        const params = { textDocument: identifierOf(document), range: rangeOf(range), context };
        return list('textDocument/codeAction', params, token, asCodeAction);
      },
    };
    if (resolveProvider) {
      provider.resolveCodeAction = async (action, token) => {
        const resolved = await request('codeAction/resolve', action.served, token);
        action.edit = asWorkspaceEdit(resolved?.edit) ?? action.edit;
        action.command = asCommand(resolved?.command) ?? action.command;
        return action;
      };
    }
    return languages.registerCodeActionsProvider(selector, provider, {
      providedCodeActionKinds: codeActionKinds?.map((kind) => vscode.CodeActionKind.Empty.append(kind)),
    });
  });

  ifSupported(capabilities.renameProvider, ({ prepareProvider }) => {
    // VS Code shows the messages of errors, which tell why a rename is rejected.
    const provider = {
      async provideRenameEdits(document, position, newName, token) {
        const params = { ...placeOf(document, position), newName };
        return asWorkspaceEdit(await requestOrThrow('textDocument/rename', params, token));
      },
    };
    if (prepareProvider) {
      provider.prepareRename = async (document, position, token) => {
        const result = await requestOrThrow('textDocument/prepareRename', placeOf(document, position), token);
        if (!result) throw new Error('There is no name to change at this position.');
        if (result.defaultBehavior) return document.getWordRangeAtPosition(position);
        if (result.placeholder === undefined) return asRange(result);
        return { range: asRange(result.range), placeholder: result.placeholder };
      };
    }
    return languages.registerRenameProvider(selector, provider);
  });

  ifSupported(capabilities.documentFormattingProvider, () =>
    languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: (document, options, token) =>
        list('textDocument/formatting', { textDocument: identifierOf(document), options }, token, asTextEdit),
    }));

  ifSupported(capabilities.documentRangeFormattingProvider, () =>
    languages.registerDocumentRangeFormattingEditProvider(selector, {
      provideDocumentRangeFormattingEdits: (document, range, options, token) =>
        list('textDocument/rangeFormatting', { textDocument: identifierOf(document), range: rangeOf(range), options },
          token, asTextEdit),
    }));

  ifSupported(capabilities.semanticTokensProvider?.full && capabilities.semanticTokensProvider, ({ legend }) =>
    languages.registerDocumentSemanticTokensProvider(selector, {
      onDidChangeSemanticTokens: refreshes.semanticTokens.event,
      async provideDocumentSemanticTokens(document, token) {
        const params = { textDocument: identifierOf(document) };
        const result = await request('textDocument/semanticTokens/full', params, token);
        return result && new vscode.SemanticTokens(new Uint32Array(result.data), result.resultId);
      },
    }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)));

  ifSupported(capabilities.foldingRangeProvider, () =>
    languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document, context, token) =>
        list('textDocument/foldingRange', { textDocument: identifierOf(document) }, token, asFoldingRange),
    }));

  ifSupported(capabilities.inlayHintProvider, () =>
    languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: refreshes.inlayHint.event,
      provideInlayHints: (document, range, token) =>
        list('textDocument/inlayHint', { textDocument: identifierOf(document), range: rangeOf(range) }, token,
          asInlayHint),
    }));

  ifSupported(capabilities.codeLensProvider, ({ resolveProvider }) => {
    const provider = {
      onDidChangeCodeLenses: refreshes.codeLens.event,
      provideCodeLenses: (document, token) =>
        list('textDocument/codeLens', { textDocument: identifierOf(document) }, token, asCodeLens),
    };
    if (resolveProvider) {
      provider.resolveCodeLens = async (lens, token) => {
        const resolved = await request('codeLens/resolve', lens.served, token);
        lens.command = asCommand(resolved?.command);
        return lens;
      };
    }
    return languages.registerCodeLensProvider(selector, provider);
  });

  return disposables;
}

module.exports = { registerFeatures, selector, asDiagnostic, asWorkspaceEdit, asUri, rangeOf };
