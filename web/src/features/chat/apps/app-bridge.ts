import type { ToolCall } from '#shared/contracts/chat.ts'
import type { OpenedApp } from '#shared/contracts/apps.ts'
import { appHeightPx, appProtocolVersion } from '#shared/mcp-apps.ts'
import {
  parseHeight,
  parseLink,
  parseMessage,
  parseSuggestion,
  parseToolCall,
  toCallToolResult,
  type JsonRpcMessage,
} from './app-messages.ts'
import { dialogLabels } from './dialog-labels.ts'
import { createFrameDocument } from './frame-document.ts'

/** What the page does for an app. What the user has to decide resolves with their decision, or at once if the app withdraws its request. */
export interface AppHost {
  /** the version of the product */
  version: string
  /** the app was not opened: this browser does not refuse what its policy refuses */
  onUnguarded: () => void
  /** sends a message to the sandbox */
  post: (message: object) => void
  setHeight: (heightPx: number) => void
  /** makes a call, after the user's approval if it is needed */
  callTool: (name: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<ToolCall['result']>
  /** whether the user opened the page */
  openLink: (url: URL, signal: AbortSignal) => Promise<boolean>
  /** whether the user took the text into the composer */
  suggestMessage: (text: string, signal: AbortSignal) => Promise<boolean>
}

/** What an app learns about the page. */
export interface AppAppearance {
  isDark: boolean
}

/**
 * Creates the connection to one app (MCP Apps, SEP-1865). It sends the app the arguments and the result of the call that the app shows, and
 * answers its requests. The app gets nothing else of the conversation.
 * @param app its document, and the origins that it may connect to
 * @param call the call that the app shows
 * @returns `receive` must get messages of the sandbox's window and origin only
 */
export function createAppBridge(
  { app, call }: { app: Pick<OpenedApp, 'html' | 'domains'>; call: ToolCall },
  host: AppHost,
  firstAppearance: AppAppearance,
) {
  let appearance = firstAppearance
  let isInitialized = false
  let isStarted = false
  const requests = createRequestLimiter()
  let onTornDown: (() => void) | undefined

  const send = (message: object) => host.post({ jsonrpc: '2.0', ...message })

  async function loadApp(): Promise<void> {
    isInitialized = false
    isStarted = false
    const params = await createFrameDocument({ html: app.html, domains: app.domains, labels: dialogLabels })
    send({ method: 'ui/notifications/sandbox-resource-ready', params })
  }

  /** The app is ready: sends it the arguments and the result of the call. */
  function start(): void {
    if (!isInitialized || isStarted) return
    isStarted = true
    send({ method: 'ui/notifications/tool-input', params: { arguments: call.parameters } })
    send({ method: 'ui/notifications/tool-result', params: toCallToolResult(call.result) })
  }

  async function respond(request: AppRequest, signal: AbortSignal): Promise<object> {
    if (request.method === 'ui/initialize') {
      isInitialized = true
      return describeHost(host, app, appearance)
    }
    if (request.method === 'ping') return {}
    if (!isInitialized) throw new RequestRefusedError(errors.notReady)
    return performRequest(host, request, signal)
  }

  async function handleRequest(id: string | number, request: AppRequest): Promise<void> {
    try {
      send({ id, result: await requests.run(id, (signal) => respond(request, signal)) })
    } catch (error) {
      send({ id, error: error instanceof RequestRefusedError ? error.error : errors.failed })
    }
  }

  function handleMessage({ id, method, params }: JsonRpcMessage): void {
    if (method === undefined) {
      // the response to the only request of the page
      if (id === teardownId) onTornDown?.()
      return
    }
    if (id !== undefined) return void handleRequest(id, { method, params })
    if (method === 'ui/notifications/sandbox-proxy-ready') void loadApp()
    else if (method === 'frame/unguarded') host.onUnguarded()
    else if (method === 'ui/notifications/initialized') start()
    // the SDK of apps sends it after a minute without an answer
    else if (method === 'notifications/cancelled') requests.cancel(params['requestId'])
    else if (method === 'ui/notifications/size-changed') {
      const heightPx = parseHeight(params)
      if (heightPx !== undefined) host.setHeight(clampHeight(heightPx))
    }
  }

  return {
    /** Handles a message of the sandbox. */
    receive(data: unknown): void {
      const message = parseMessage(data)
      if (message) handleMessage(message)
    },
    /** Tells the app that the appearance of the page has changed. */
    update(next: AppAppearance): void {
      appearance = next
      if (isInitialized) send({ method: 'ui/notifications/host-context-changed', params: toContext(next) })
    },
    /** Withdraws what the app has asked for, when its frame is gone: nothing more is asked for it. */
    dispose: (): void => requests.cancelAll(),
    /** Asks the app to shut down, and waits a moment for it. */
    async close(): Promise<void> {
      if (!isInitialized) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onTornDown = resolve
      setTimeout(resolve, teardownMs)
      send({ id: teardownId, method: 'ui/resource-teardown', params: {} })
      await promise
    },
  }
}

const teardownId = 'teardown'
/** How long the user waits at most for an app that does not answer. */
const teardownMs = 500

const clampHeight = (heightPx: number) =>
  Math.ceil(Math.min(Math.max(heightPx, appHeightPx.min), appHeightPx.max))

interface AppRequest {
  method: string
  params: Record<string, unknown>
}

const toContext = ({ isDark }: AppAppearance) => ({ theme: isDark ? 'dark' : 'light' })

/** The response to `ui/initialize`: what the app may ask for, and how it is shown. */
const describeHost = (
  { version }: AppHost,
  { domains }: Pick<OpenedApp, 'domains'>,
  appearance: AppAppearance,
) => ({
  protocolVersion: appProtocolVersion,
  hostInfo: { name: 'juno-assistant', version },
  hostCapabilities: {
    openLinks: {},
    serverTools: {},
    message: { text: {} },
    sandbox: { csp: { connectDomains: domains.connect, resourceDomains: domains.resource } },
  },
  hostContext: {
    ...toContext(appearance),
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { maxHeight: appHeightPx.max },
    platform: 'web',
  },
})

/**
 * Does what an initialized app asks for.
 * @returns the result for the app
 * @throws RequestRefusedError when the request is unknown or invalid, or the user declines; and what `host` throws
 */
async function performRequest(
  host: AppHost,
  { method, params }: AppRequest,
  signal: AbortSignal,
): Promise<object> {
  switch (method) {
    case 'tools/call': {
      const toolCall = parseToolCall(params)
      if (!toolCall) throw new RequestRefusedError(errors.invalid)
      return toCallToolResult(await host.callTool(toolCall.name, toolCall.arguments, signal))
    }
    case 'ui/open-link': {
      const url = parseLink(params)
      if (!url) throw new RequestRefusedError(errors.invalid)
      if (!(await host.openLink(url, signal))) throw new RequestRefusedError(errors.denied)
      return {}
    }
    case 'ui/message': {
      const text = parseSuggestion(params)
      if (text === undefined) throw new RequestRefusedError(errors.invalid)
      if (!(await host.suggestMessage(text, signal))) throw new RequestRefusedError(errors.denied)
      return {}
    }
    case 'ui/request-display-mode':
      return { mode: 'inline' }
    default:
      throw new RequestRefusedError(errors.unknown)
  }
}

/** How many requests of an app may run or wait for the user at once, so that an app cannot use up the connections of the browser. */
const maxRunningRequests = 4
/** How many requests an app may make within a minute: one a second is more than a person causes. */
const maxRequestsPerMinute = 60
const minuteMs = 60_000

/** The errors that a request of an app is answered with. */
const errors = {
  invalid: { code: -32_602, message: 'The parameters are not valid.' },
  unknown: { code: -32_601, message: 'The host does not support this.' },
  notReady: { code: -32_600, message: 'Send ui/initialize first.' },
  tooMany: { code: -32_000, message: 'Too many requests at once.' },
  failed: { code: -32_603, message: 'The host failed to do this.' },
  denied: { code: -32_000, message: 'The user declined this, or has to answer something else first.' },
} as const
type RpcError = (typeof errors)[keyof typeof errors]

/** Thrown to answer a request of an app with an error. */
class RequestRefusedError extends Error {
  readonly error: RpcError

  constructor(error: RpcError) {
    super(error.message)
    this.error = error
  }
}

/** Runs the requests of one app, as many as it may make. */
function createRequestLimiter() {
  /** the requests that have no response yet */
  const running = new Map<unknown, AbortController>()
  let times: number[] = []
  return {
    /** @throws RequestRefusedError for an id that is in use, and for too many requests; what `respond` throws */
    async run<Result>(
      id: string | number,
      respond: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      if (running.has(id)) throw new RequestRefusedError(errors.invalid)
      const now = performance.now()
      times = times.filter((at) => now - at < minuteMs)
      if (running.size >= maxRunningRequests || times.length >= maxRequestsPerMinute)
        throw new RequestRefusedError(errors.tooMany)
      times.push(now)
      const withdrawal = new AbortController()
      running.set(id, withdrawal)
      try {
        return await respond(withdrawal.signal)
      } finally {
        running.delete(id)
      }
    },
    /** Withdraws a request of the app. Does nothing if it has a response. */
    cancel(id: unknown): void {
      running.get(id)?.abort()
    },
    /** Withdraws all requests that have no response yet. */
    cancelAll(): void {
      for (const withdrawal of running.values()) withdrawal.abort()
    },
  }
}
