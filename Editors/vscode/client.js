'use strict';

// The client for 'trellis lsp': finds the tool, starts it, sends the documents, and starts it again after a crash.

const fs = require('fs');
const os = require('os');
const path = require('path');
const vscode = require('vscode');
const { Connection, ErrorCode, ResponseError } = require('./connection');
const features = require('./features');

/** The server is started again after up to this number of crashes within a period, in milliseconds. */
const toleratedCrashes = 5;
const crashPeriod = 3 * 60 * 1000;

const settings = () => vscode.workspace.getConfiguration('trellis');
const folderOf = ({ name, uri }) => ({ name, uri: uri.toString() });
const firstFolder = () => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;

/**
 * Returns the path of the tool, or undefined if there is none.
 *
 * @param {string} name A name, which is searched for on the `PATH` and in `~/.local/bin`, or a path.
 * @param {string | undefined} folder The folder where a relative path begins.
 */
function findTool(name, folder) {
  const home = os.homedir();
  const expanded = name.replace(/^~(?=[/\\])/, home);
  const isPath = /[/\\]/.test(expanded);
  // './run install' copies the tool to ~/.local/bin. If an app starts VS Code, that folder may be missing on the PATH.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join(home, '.local', 'bin')];
  const files = isPath
    ? [path.resolve(folder ?? home, expanded)]
    : folders.filter(path.isAbsolute).map((each) => path.join(each, expanded));
  return files.find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/** What this client supports. The server may use every feature that it finds here. */
const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { showMessage: {}, workDoneProgress: false },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: false },
    executeCommand: {},
    symbol: {},
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    semanticTokens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: {
      relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, dataSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    completion: {
      contextSupport: true,
      completionItem: {
        snippetSupport: true, commitCharactersSupport: true, preselectSupport: true, labelDetailsSupport: true,
        insertReplaceSupport: true, documentationFormat: ['markdown', 'plaintext'], tagSupport: { valueSet: [1] },
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, tagSupport: { valueSet: [1] } },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'refactor.rewrite', 'source', 'source.fixAll'] },
      },
      isPreferredSupport: true, disabledSupport: true, dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
    },
    rename: { prepareSupport: true, prepareSupportDefaultBehavior: 1 },
    formatting: {},
    rangeFormatting: {},
    semanticTokens: {
      requests: { full: true, range: false },
      tokenTypes: ['namespace', 'type', 'class', 'enum', 'struct', 'typeParameter', 'parameter', 'variable', 'property',
        'enumMember', 'function', 'method', 'macro', 'keyword', 'modifier', 'comment', 'string', 'number', 'operator',
        'decorator'],
      tokenModifiers: ['declaration', 'definition', 'readonly', 'static', 'deprecated', 'documentation',
        'defaultLibrary'],
      formats: ['relative'], overlappingTokenSupport: false, multilineTokenSupport: false,
    },
    foldingRange: { lineFoldingOnly: true },
    inlayHint: {},
    codeLens: {},
  },
};

/** Starts the server and keeps it running. */
class Client {
  /** @param {vscode.OutputChannel} output */
  constructor(output) {
    this.output = output;
    this.diagnostics = vscode.languages.createDiagnosticCollection('trellis');
    /** @type {number[]} The times of the last crashes. */
    this.crashes = [];
    /** The running server. Undefined before it is started and after it has ended. */
    this.session = undefined;
    this.traceLevel = settings().get('trace.server');
  }

  /** Starts the server, unless it is running. */
  async start() {
    if (this.session) return;
    const name = settings().get('path') || 'trellis';
    const file = findTool(name, firstFolder());
    if (!file) return this.reportMissing(name);
    const session = { file, isReady: false, disposables: [], watchers: new Map(), connection: undefined };
    this.session = session;
    this.log(`starting '${file} lsp'`);
    session.connection = new Connection(file, ['lsp'], firstFolder(), {
      onNotification: (method, params) => this.receive(session, method, params),
      onRequest: (method, params) => this.answer(session, method, params),
      onErrorOutput: (text) => this.output.append(text),
      onExit: (exit) => this.ended(session, exit),
      onTrace: (direction, message) => this.trace(direction, message),
    });
    try {
      const result = await session.connection.request('initialize', this.initializeParams());
      if (this.session !== session) return;
      const encoding = result.capabilities.positionEncoding ?? 'utf-16';
      if (encoding !== 'utf-16') throw new Error(`the server counts positions in ${encoding}, not in utf-16`);
      session.connection.notify('initialized', {});
      session.isReady = true;
      this.register(session, result.capabilities);
      this.log(`${result.serverInfo?.name ?? 'the server'} ${result.serverInfo?.version ?? ''} is ready`);
    } catch (error) {
      // If the process has ended, `ended` reports it.
      if (this.session !== session || session.connection.isClosed) return;
      await this.stop();
      this.report(`The Trellis language server cannot be used: ${error.message}.`, 'Show Output');
    }
  }

  /** Stops the server, if it is running. */
  async stop() {
    const session = this.session;
    if (!session) return;
    this.forget(session);
    await session.connection.shutDown();
  }

  /** Stops the server and starts it again. */
  async restart() {
    this.crashes = [];
    await this.stop();
    await this.start();
  }

  /** Removes everything that a server has provided. */
  forget(session) {
    this.session = undefined;
    for (const disposable of [...session.disposables, ...session.watchers.values()]) disposable.dispose();
    this.diagnostics.clear();
  }

  initializeParams() {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return {
      processId: process.pid,
      clientInfo: { name: vscode.env.appName, version: vscode.version },
      locale: vscode.env.language,
      rootUri: folders[0]?.uri.toString() ?? null,
      workspaceFolders: folders.length ? folders.map(folderOf) : null,
      capabilities: clientCapabilities,
      trace: this.traceLevel,
    };
  }

  // MARK: Documents

  /** Registers the features, and sends all open documents and later changes. */
  register(session, capabilities) {
    const { connection, disposables } = session;
    const refreshes = {
      semanticTokens: new vscode.EventEmitter(),
      inlayHint: new vscode.EventEmitter(),
      codeLens: new vscode.EventEmitter(),
    };
    session.refreshes = refreshes;
    disposables.push(...Object.values(refreshes));
    const sync = capabilities.textDocumentSync ?? {};
    const change = typeof sync === 'number' ? sync : sync.change ?? 0;
    const isOurs = (document) => vscode.languages.match(features.selector, document) > 0;
    const on = (event, listener) =>
      disposables.push(event((value) => void (isOurs(value.document ?? value) && listener(value))));
    const open = (document) =>
      connection.notify('textDocument/didOpen', {
        textDocument: {
          uri: document.uri.toString(), languageId: document.languageId, version: document.version,
          text: document.getText(),
        },
      });
    vscode.workspace.textDocuments.filter(isOurs).forEach(open);
    on(vscode.workspace.onDidOpenTextDocument, open);
    on(vscode.workspace.onDidChangeTextDocument, ({ document, contentChanges }) => {
      if (!contentChanges.length || change === 0) return;
      connection.notify('textDocument/didChange', {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges:
          change === 1
            ? [{ text: document.getText() }]
            : contentChanges.map(({ range, text }) => ({ range: features.rangeOf(range), text })),
      });
    });
    if (sync.save) {
      on(vscode.workspace.onDidSaveTextDocument, (document) =>
        connection.notify('textDocument/didSave', {
          textDocument: { uri: document.uri.toString() },
          text: sync.save.includeText ? document.getText() : undefined,
        }));
    }
    on(vscode.workspace.onDidCloseTextDocument, (document) =>
      connection.notify('textDocument/didClose', { textDocument: { uri: document.uri.toString() } }));
    if (capabilities.workspace?.workspaceFolders?.changeNotifications) {
      disposables.push(
        vscode.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
          connection.notify('workspace/didChangeWorkspaceFolders', {
            event: { added: added.map(folderOf), removed: removed.map(folderOf) },
          })));
    }
    const requestOrThrow = (method, params, token) => connection.request(method, params, token);
    const request = (method, params, token) =>
      requestOrThrow(method, params, token).catch((error) => {
        if (this.session === session) this.log(`${method}: ${error.message}`);
        return null;
      });
    disposables.push(...features.registerFeatures({ capabilities, request, requestOrThrow, refreshes }));
    for (const command of capabilities.executeCommandProvider?.commands ?? []) {
      disposables.push(
        vscode.commands.registerCommand(command, (...args) =>
          requestOrThrow('workspace/executeCommand', { command, arguments: args })));
    }
  }

  /** Sends the changes of files that match patterns of the server. */
  watch(session, { id, registerOptions }) {
    const watchers = registerOptions.watchers.map(({ globPattern, kind = 7 }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(globPattern, !(kind & 1), !(kind & 2), !(kind & 4));
      const send = (type) => (uri) =>
        session.connection.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
      watcher.onDidCreate(send(1));
      watcher.onDidChange(send(2));
      watcher.onDidDelete(send(3));
      return watcher;
    });
    session.watchers.set(id, vscode.Disposable.from(...watchers));
  }

  // MARK: Messages from the server

  receive(session, method, params) {
    if (this.session !== session) return;
    try {
      switch (method) {
        case 'textDocument/publishDiagnostics': return this.show(params);
        case 'window/logMessage': return this.log(params.message);
        case 'window/showMessage': return void (params.type < 4 ? this.showMessage(params) : this.log(params.message));
        case '$/logTrace': return this.log(params.verbose ?? params.message);
      }
    } catch (error) {
      this.log(`${method}: ${error.stack}`);
    }
  }

  show({ uri, version, diagnostics }) {
    const target = features.asUri(uri);
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === target.toString());
    // The positions belong to an older text. The server reports on the current text next.
    if (version !== undefined && version !== null && document && document.version > version) return;
    this.diagnostics.set(target, diagnostics.map(features.asDiagnostic));
  }

  showMessage({ type, message, actions = [] }) {
    const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
    const show = { 1: showErrorMessage, 2: showWarningMessage }[type] ?? showInformationMessage;
    return show(message, ...actions);
  }

  async answer(session, method, params) {
    switch (method) {
      case 'workspace/configuration':
        return params.items.map(({ section, scopeUri }) => {
          const scope = scopeUri ? features.asUri(scopeUri) : undefined;
          return (section && vscode.workspace.getConfiguration(undefined, scope).get(section)) ?? null;
        });
      case 'workspace/applyEdit':
        return { applied: await this.apply(params.edit) };
      case 'workspace/workspaceFolders':
        return this.initializeParams().workspaceFolders;
      case 'window/showMessageRequest':
        return (await this.showMessage(params)) ?? null;
      case 'workspace/semanticTokens/refresh':
      case 'workspace/inlayHint/refresh':
      case 'workspace/codeLens/refresh':
        session.refreshes?.[method.split('/')[1]].fire();
        return null;
      case 'client/registerCapability':
        for (const registration of params.registrations) {
          if (registration.method === 'workspace/didChangeWatchedFiles') this.watch(session, registration);
        }
        return null;
      case 'client/unregisterCapability':
        for (const { id } of params.unregisterations) {
          session.watchers.get(id)?.dispose();
          session.watchers.delete(id);
        }
        return null;
      default:
        throw new ResponseError(ErrorCode.methodNotFound, `the client does not support '${method}'`);
    }
  }

  /** Applies an edit, unless it was computed for a text that has changed since. */
  apply(edit) {
    const versions = new Map(vscode.workspace.textDocuments.map((each) => [each.uri.toString(), each.version]));
    const isOutdated = (edit.documentChanges ?? []).some(({ textDocument }) => {
      const version = textDocument && versions.get(features.asUri(textDocument.uri).toString());
      return version !== undefined && typeof textDocument.version === 'number' && textDocument.version !== version;
    });
    return isOutdated ? false : vscode.workspace.applyEdit(features.asWorkspaceEdit(edit));
  }

  // MARK: Failures

  /** Called when the process has ended, whether it was stopped or not. */
  ended(session, { code, signal, error }) {
    if (this.session !== session) return;
    this.forget(session);
    const reason = error?.message ?? (signal ? `signal ${signal}` : `exit code ${code}`);
    this.log(`the language server ended: ${reason}`);
    // The tool's exit code for an unknown verb.
    if (!session.isReady && code === 2) {
      this.report(
        `'${session.file}' has no language server. To update it, run './run install' in a checkout of Trellis.`,
        'Restart', 'Show Output');
      return;
    }
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < crashPeriod), now];
    if (this.crashes.length <= toleratedCrashes) return void this.start();
    this.report(
      `The Trellis language server ended ${this.crashes.length} times within 3 minutes (${reason}) and is not ` +
        `started again. The output may contain the reason. Update the tool with './run install' in a checkout of ` +
        `Trellis, then restart the server.`,
      'Restart', 'Show Output');
  }

  reportMissing(name) {
    const isPath = /[/\\]/.test(name);
    const problem = isPath
      ? `'${name}', the value of the setting 'trellis.path', is not an executable file.`
      : `'${name}' was found neither on the PATH nor in ~/.local/bin.`;
    this.report(`${problem} To install it, run './run install' in a checkout of Trellis.`, 'Restart', 'Open Settings');
  }

  /** Shows an error. Each button has the same title as its action here. */
  async report(message, ...buttons) {
    this.log(message);
    switch (await vscode.window.showErrorMessage(message, ...buttons)) {
      case 'Restart': return this.restart();
      case 'Show Output': return this.output.show();
      case 'Open Settings': return vscode.commands.executeCommand('workbench.action.openSettings', 'trellis.path');
    }
  }

  // MARK: Output

  log(text) {
    this.output.appendLine(`[${new Date().toLocaleTimeString('en-GB')}] ${text.trimEnd()}`);
  }

  trace(direction, message) {
    if (this.traceLevel === 'off') return;
    const id = message.id === undefined ? '' : ` (${message.id})`;
    this.log(`${direction} ${message.method ?? 'response'}${id}`);
    if (this.traceLevel === 'verbose') this.output.appendLine(JSON.stringify(message, undefined, 2));
  }
}

/** @type {Client | undefined} */
let client;

/**
 * Called by VS Code when the first schema file is opened.
 *
 * @param {vscode.ExtensionContext} context
 */
function activate(context) {
  const output = vscode.window.createOutputChannel('Trellis');
  client = new Client(output);
  context.subscriptions.push(
    output,
    client.diagnostics,
    vscode.commands.registerCommand('trellis.restartServer', () => client.restart()),
    vscode.commands.registerCommand('trellis.showOutput', () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('trellis.path')) void client.restart();
      if (!event.affectsConfiguration('trellis.trace.server')) return;
      client.traceLevel = settings().get('trace.server');
      if (client.session?.isReady) client.session.connection.notify('$/setTrace', { value: client.traceLevel });
    }));
  void client.start();
}

/** Called by VS Code when the extension is disabled or VS Code is closed. */
function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate, findTool };
