import { maxAppMessageCharacters } from '#shared/mcp-apps.ts'

/**
 * The document on the second origin that shows apps of MCP servers (the "sandbox proxy" of SEP-1865). It holds nothing: the page sends it
 * the app, which it shows in a frame without an origin, and it forwards messages. A CloudFront function answers with it, so no bucket is behind its
 * origin.
 */

/** More messages of an app within a second are dropped. */
const maxMessagesPerSecond = 100

/** Methods of messages about the sandbox itself, which no app may send or get, start with this. */
const sandboxMethodPrefix = 'ui/notifications/sandbox-'

/**
 * The script of the document. Windows identify the two sides: the page is `parent`, the app is the one frame inside. What the app sends is
 * measured and copied here, outside the page, and stops here if there is too much of it.
 */
const script = `
(function () {
  var app, host, second = 0, count = 0
  function isOwn(data) {
    return typeof data.method === 'string' && data.method.indexOf('${sandboxMethodPrefix}') === 0
  }
  function show(params) {
    if (app) return
    app = document.createElement('iframe')
    app.title = 'App'
    app.setAttribute('sandbox', 'allow-scripts allow-forms')
    var policy = document.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = String(params.policy)
    app.srcdoc = '<!doctype html>' + policy.outerHTML +
      '<meta http-equiv="x-dns-prefetch-control" content="off">' +
      String(params.html)
    document.body.append(app)
  }
  function copy(data) {
    var now = Math.floor(performance.now() / 1000)
    if (now !== second) { second = now; count = 0 }
    if (++count > ${maxMessagesPerSecond}) return undefined
    try {
      var text = JSON.stringify(data)
      return text.length > ${maxAppMessageCharacters} ? undefined : JSON.parse(text)
    } catch (error) {
      return undefined
    }
  }
  addEventListener('message', function (event) {
    var data = event.data
    if (!data || typeof data !== 'object') return
    if (event.source === parent) {
      host = host || event.origin
      if (event.origin !== host) return
      if (data.method === '${sandboxMethodPrefix}resource-ready') show(data.params)
      else if (app && !isOwn(data)) app.contentWindow.postMessage(data, '*')
    } else if (app && host && event.source === app.contentWindow) {
      var message = copy(data)
      if (message && !isOwn(message)) parent.postMessage(message, host)
    }
  })
  parent.postMessage({ jsonrpc: '2.0', method: '${sandboxMethodPrefix}proxy-ready', params: {} }, '*')
})()
`

export const sandboxPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>App</title>
<style>html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block;overflow:hidden}</style>
<body><script>${script}</script></body>
</html>
`

/**
 * Browser features that no app gets, as the frame has no `allow` attribute either. `focus-without-user-activation` is not among them: in
 * Chromium 153 it has no effect outside its trial, and is reported as an error on each load.
 */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/**
 * Headers of the document. The app inherits its policy, which is the most that any app may do, and has its own (`appPolicy`) besides: it
 * can navigate to nothing, send no form, and open no window; requests leave only for https, and only as far as its own policy allows.
 * @param frameAncestors the origins that may embed it
 */
export const sandboxHeaders = ({
  frameAncestors,
  https = false,
}: {
  frameAncestors: string
  https?: boolean
}): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    'sandbox allow-scripts allow-same-origin allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval' blob: https:",
    "worker-src 'none'",
    "style-src 'unsafe-inline' https:",
    'img-src data: blob: https:',
    'font-src data: https:',
    'media-src data: blob: https:',
    'connect-src https: wss:',
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; '),
  'cache-control': 'no-cache',
  'origin-agent-cluster': '?1',
  'permissions-policy': deniedFeatures.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  ...(https && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
})
