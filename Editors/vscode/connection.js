'use strict';

// JSON-RPC with a child process, in the framing of the Language Server Protocol. This file does not need VS Code.

const { spawn } = require('child_process');

const ErrorCode = {
  methodNotFound: -32601,
  internalError: -32603,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
};

/** An error that the other side returned for a request. */
class ResponseError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  /** True if the request was cancelled, or if its result would no longer match the text. */
  get isCancellation() {
    return [ErrorCode.requestCancelled, ErrorCode.contentModified, ErrorCode.serverCancelled].includes(this.code);
  }
}

/** Splits a stream of bytes into messages. The lengths in the headers count bytes, not characters. */
class MessageReader {
  /** @param {(message: any) => void} onMessage */
  constructor(onMessage) {
    this.onMessage = onMessage;
    this.buffer = Buffer.alloc(0);
    this.missing = 0;
    this.chunks = [];
  }

  /**
   * Adds bytes, and passes on every message that they complete.
   *
   * @param {Buffer} chunk
   * @throws {Error} If the bytes are not messages of the protocol.
   */
  append(chunk) {
    // A large message arrives in many chunks, which are joined once.
    this.chunks.push(chunk);
    this.missing -= chunk.length;
    if (this.missing > 0) return;
    this.buffer = Buffer.concat([this.buffer, ...this.chunks]);
    this.chunks = [];
    for (;;) {
      const end = this.buffer.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.buffer.length > 4096) throw new Error('the output is not a message of the protocol');
        break;
      }
      const header = this.buffer.toString('latin1', 0, end);
      const length = /^content-length: *(\d+) *$/im.exec(header);
      if (!length) throw new Error(`the output has no Content-Length: ${header.slice(0, 200)}`);
      const start = end + 4;
      const next = start + Number(length[1]);
      if (this.buffer.length < next) {
        this.missing = next - this.buffer.length;
        return;
      }
      const text = this.buffer.toString('utf8', start, next);
      this.buffer = this.buffer.subarray(next);
      this.onMessage(JSON.parse(text));
    }
    this.missing = 0;
  }
}

/**
 * What a connection reports.
 *
 * @typedef {object} Handlers
 * @property {(method: string, params: any) => void} onNotification
 * @property {(method: string, params: any) => any} onRequest Returns the result, or a promise of it.
 * @property {(text: string) => void} onErrorOutput Receives what the process writes to standard error.
 * @property {(exit: {code: number | null, signal: string | null, error?: Error}) => void} onExit
 * @property {(direction: 'sent' | 'received', message: any) => void} onTrace
 */

/** A language server that runs as a child process. */
class Connection {
  /**
   * Starts the process.
   *
   * @param {string} file The path of the executable.
   * @param {string[]} args The arguments. No shell interprets them.
   * @param {string | undefined} folder The working directory.
   * @param {Handlers} handlers
   */
  constructor(file, args, folder, handlers) {
    this.handlers = handlers;
    this.isClosed = false;
    this.nextID = 1;
    /** @type {Map<number, {resolve: Function, reject: Function, cancellation?: {dispose(): void}}>} */
    this.pending = new Map();
    this.closed = new Promise((resolve) => (this.markClosed = resolve));
    this.process = spawn(file, args, { cwd: folder, stdio: 'pipe', windowsHide: true });
    const reader = new MessageReader((message) => this.receive(message));
    this.process.stdout.on('data', (chunk) => {
      try {
        reader.append(chunk);
      } catch (error) {
        this.close({ code: null, signal: null, error });
        this.process.kill();
      }
    });
    this.process.stderr.setEncoding('utf8').on('data', (text) => handlers.onErrorOutput(text));
    // Writing to a process that has ended fails. The 'close' event reports the end.
    this.process.stdin.on('error', () => {});
    this.process.on('error', (error) => this.close({ code: null, signal: null, error }));
    this.process.on('close', (code, signal) => this.close({ code, signal }));
  }

  /**
   * Sends a request.
   *
   * @param {string} method
   * @param {any} params
   * @param {{isCancellationRequested: boolean, onCancellationRequested: Function}} [token] Cancels the request.
   * @returns {Promise<any>} The result, or null if the request was cancelled.
   */
  request(method, params, token) {
    if (token?.isCancellationRequested) return Promise.resolve(null);
    if (this.isClosed) return Promise.reject(new Error('the language server is not running'));
    const id = this.nextID++;
    return new Promise((resolve, reject) => {
      const cancellation = token?.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
      this.pending.set(id, { resolve, reject, cancellation });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /**
   * Sends a notification.
   *
   * @param {string} method
   * @param {any} [params]
   */
  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * Asks the server to end, and ends it by force if it takes longer than a limit.
   *
   * @param {number} [limit] In milliseconds.
   */
  async shutDown(limit = 2000) {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), limit);
    try {
      await this.request('shutdown');
      this.notify('exit');
    } catch {
      this.process.kill();
    }
    await this.closed;
    clearTimeout(timer);
  }

  /** @private */
  send(message) {
    if (this.isClosed) return;
    const body = Buffer.from(JSON.stringify(message), 'utf8');
    this.handlers.onTrace('sent', message);
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]));
  }

  /** @private */
  receive(message) {
    if (this.isClosed) return;
    this.handlers.onTrace('received', message);
    if (message.method !== undefined && message.id !== undefined) return void this.answer(message);
    if (message.method !== undefined) return this.handlers.onNotification(message.method, message.params);
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    pending.cancellation?.dispose();
    if (!message.error) return pending.resolve(message.result ?? null);
    const error = new ResponseError(message.error.code, message.error.message);
    if (error.isCancellation) pending.resolve(null);
    else pending.reject(error);
  }

  /** @private */
  async answer({ id, method, params }) {
    try {
      const result = await this.handlers.onRequest(method, params);
      this.send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : ErrorCode.internalError;
      this.send({ jsonrpc: '2.0', id, error: { code, message: String(error?.message ?? error) } });
    }
  }

  /** @private */
  close(exit) {
    if (!this.isClosed) {
      this.isClosed = true;
      for (const { reject, cancellation } of this.pending.values()) {
        cancellation?.dispose();
        reject(new Error('the language server has ended'));
      }
      this.pending.clear();
      this.handlers.onExit(exit);
    }
    this.markClosed();
  }
}

module.exports = { Connection, MessageReader, ResponseError, ErrorCode };
