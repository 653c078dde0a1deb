/**
 * The first script of every document in the sandbox, and the only one with code in it that its policy lets a browser run (by
 * `frameScriptHash`). It takes away what no policy covers, tries whether the browser refuses what the policy refuses, then writes the
 * document that stands as JSON in the element before it, and runs its scripts itself: those of the document from addresses of this frame
 * (`blob:`), those that have to run at once by eval. So in a frame inside the frame either nothing runs, or this script runs first.
 *
 * What an origin of `null` takes from pages has stand-ins here: storage, cookies, dialogs, history, `#` links, copying.
 */
export const frameScript = String.raw`(function () {
'use strict'
var names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection', 'XSLTProcessor'], name
while ((name = names.pop())) delete window[name]

var data = JSON.parse(document.currentScript.previousElementSibling.textContent)

/* ---- no frames and no hints to connect: their elements are never made. Nothing here may be changed by the document's own code. ---- */

var apply = Reflect.apply, define = Object.defineProperty, describe = Object.getOwnPropertyDescriptor, globalEval = window.eval, report = window.reportError.bind(window)
function lock(object, keys) {
  keys.forEach(function (key) {
    var own = describe(object, key)
    if (own && own.configurable) define(object, key, own.get || own.set ? { configurable: false } : { writable: false, configurable: false })
  })
}
lock(String.prototype, ['replace', 'slice', 'lastIndexOf', 'toLowerCase'])
lock(RegExp.prototype, Reflect.ownKeys(RegExp.prototype))

var placeholders = { __proto__: null, link: 'meta', embed: 'wbr', frame: 'wbr', iframe: 'x-iframe', frameset: 'x-frameset', object: 'x-object', portal: 'x-portal', fencedframe: 'x-fencedframe' }
var placeholderNames = Object.values(placeholders)
function rename(name) {
  name = name + ''
  return placeholders[name.slice(name.lastIndexOf(':') + 1).toLowerCase()] || name
}
var startTag = /<(\/?)([^ \t\r\n<>\/]*:)?(link|embed|i?frame|frameset|object|portal|fencedframe)(?=[\s\/>]|$)/gi
var entity = /<!ENTITY/gi
/*
 * By letters, not by parsing: a tag is written in full in every syntax, and whatever a parser makes of the rest has none. So it also changes
 * text that only looks like such a tag: in a textarea, in an attribute, in code that is set by innerHTML. The code of scripts in the document
 * runs as it was.
 */
function rewrite(html) {
  return (html + '').replace(startTag, function (all, slash, prefix, name) { return '<' + slash + rename(name) }).replace(entity, '<!x')
}
function same(value) { return value }
function wrap(object, key, change, then) {
  var own = object && describe(object, key)
  if (!own || !own.configurable) return
  var inner = own.value || own.set
  var outer = own.value
    ? { value: function () { var args = []; for (var i = 0; i < arguments.length; i++) define(args, i, { value: arguments[i], writable: true, enumerable: true, configurable: true }); return (then || same)(apply(inner, this, change(args))) }, writable: false }
    : { get: own.get, set: function (value) { apply(inner, this, change([value])) } }
  define(object, key, Object.assign({ configurable: false, enumerable: own.enumerable }, outer))
}
function at(index, change) {
  return function (args) { if (index < args.length) args[index] = change(args[index]); return args }
}
/* scripts that a script has made: those that a browser would run when they are inserted */
var made = new WeakSet()
function note(node) {
  if (node.localName === 'script') made.add(node)
  return node
}
wrap(Document.prototype, 'createElement', at(0, rename), note)
wrap(Document.prototype, 'createElementNS', at(1, rename), note)
wrap(DOMImplementation.prototype, 'createDocument', at(1, function (name) { return name === null ? name : rename(name) }))
wrap(CustomElementRegistry.prototype, 'define', function (args) { return [args[0], args[1]] })
wrap(Document.prototype, 'execCommand', at(2, rewrite))
var roots = [Element, ShadowRoot, Document, DocumentFragment]
roots.forEach(function (root) {
  [root, root.prototype].forEach(function (object) {
    Reflect.ownKeys(object).forEach(function (key) {
      if (!/HTML(Unsafe)?$/.test(String(key)) || key === 'getHTML') return
      if (key === 'innerHTML' || key === 'outerHTML' || /^(set|parse)HTMLUnsafe$/.test(key)) wrap(object, key, at(0, rewrite))
      else if (key === 'insertAdjacentHTML') wrap(object, key, at(1, rewrite))
      else delete object[key]
    })
  })
})
wrap(Range.prototype, 'createContextualFragment', at(0, rewrite), function (fragment) {
  fragment.querySelectorAll('script').forEach(note)
  return fragment
})
wrap(DOMParser.prototype, 'parseFromString', at(0, rewrite))
delete XMLHttpRequest.prototype.responseXML
wrap(XMLHttpRequest.prototype, 'responseType', at(0, function (type) { return type + '' === 'document' ? 'text' : type }))
if (window.trustedTypes) {
  window.trustedTypes.createPolicy('default', { createHTML: rewrite, createScript: same, createScriptURL: same })
  /* a library that sees it wants a policy of its own, which the rules of the document refuse */
  delete window.trustedTypes
}

/* ---- messages to the page; an app sends none of them but that it was not opened ---- */

var later = window.setTimeout.bind(window), host = parent
function post(method, params) {
  if (data.preview) host.postMessage({ jsonrpc: '2.0', method: 'preview/' + method, params: params }, '*')
}
/* told to the page once for all that comes within 50 ms, as much as the page shows */
var notice = { hosts: [], leaving: false, due: false }
function tell() {
  if (notice.due) return
  notice.due = true
  later(function () { notice.due = false; post('notice', { hosts: notice.hosts, leaving: notice.leaving }) }, 50)
}
function wants(address) {
  try {
    var url = new URL(address, document.baseURI)
    if (!/^(https?|wss?):$/.test(url.protocol) || url.host === new URL(document.baseURI).host) return
    if (notice.hosts.indexOf(url.host) < 0 && notice.hosts.length < 5) { notice.hosts.push(url.host); tell() }
  } catch (error) {}
}

/* ---- storage and cookies, as long as the preview is open ---- */

/* a preview sends all of it to the page when something changes, once for all that changes within 50 ms; so there is room for 100,000 characters of JSON */
var storage = data.storage || {}, areas = {}, saveDue = false
function save() {
  if (saveDue) return
  saveDue = true
  later(function () { saveDue = false; post('storage', { local: areas.local, session: areas.session, cookies: areas.cookies }) }, 50)
}
['local', 'session', 'cookies'].forEach(function (area) { areas[area] = Object.assign(Object.create(null), storage[area]) })
function put(items, key, value) {
  var before = items[key]
  items[key] = value
  if (JSON.stringify(areas).length <= 100000) return save()
  if (before === undefined) delete items[key]
  else items[key] = before
  throw new DOMException('The storage is full.', 'QuotaExceededError')
}
function createStorage(items) {
  var own = {
    getItem: function (key) { return key in items ? items[key] : null },
    setItem: function (key, value) { put(items, String(key), String(value)) },
    removeItem: function (key) { delete items[key]; save() },
    clear: function () { Object.keys(items).forEach(own.removeItem) },
    key: function (index) { var key = Object.keys(items)[index]; return key === undefined ? null : key },
  }
  return new Proxy(Object.create(window.Storage ? Storage.prototype : null), {
    get: function (target, key) { return key === 'length' ? Object.keys(items).length : own[key] || items[key] },
    set: function (target, key, value) { own.setItem(key, value); return true },
    has: function (target, key) { return key in own || key in items },
    deleteProperty: function (target, key) { own.removeItem(key); return true },
    ownKeys: function () { return Object.keys(items) },
    getOwnPropertyDescriptor: function (target, key) {
      return key in items ? { value: items[key], writable: true, enumerable: true, configurable: true } : undefined
    },
  })
}
['local', 'session'].forEach(function (area) {
  define(window, area + 'Storage', { value: createStorage(areas[area]), configurable: true, enumerable: true })
})
define(document, 'cookie', {
  configurable: true,
  get: function () { return Object.keys(areas.cookies).map(function (name) { return name + '=' + areas.cookies[name] }).join('; ') },
  set: function (text) {
    var parts = String(text).split(';'), end = parts[0].indexOf('='), name = parts[0].slice(0, Math.max(end, 0)).trim()
    var isOver = parts.slice(1).some(function (part) {
      var pair = part.split('='), key = pair[0].trim().toLowerCase()
      return (key === 'max-age' && Number(pair[1]) <= 0) || (key === 'expires' && Date.parse(pair[1]) <= Date.now())
    })
    if (!isOver) return put(areas.cookies, name, parts[0].slice(end + 1).trim())
    delete areas.cookies[name]
    save()
  },
})

/* ---- history, links, clipboard, windows ---- */

var states = [null], current = 0
function goTo(next) {
  if (next === current || !(next in states)) return
  current = next
  later(function () { dispatchEvent(new PopStateEvent('popstate', { state: states[current] })) })
}
Object.defineProperties(History.prototype, {
  pushState: { value: function (state) { states.splice(current + 1, Infinity, structuredClone(state)); current += 1 }, writable: true, configurable: true },
  replaceState: { value: function (state) { states[current] = structuredClone(state) }, writable: true, configurable: true },
  go: { value: function (by) { goTo(current + Number(by || 0)) }, writable: true, configurable: true },
  back: { value: function () { goTo(current - 1) }, writable: true, configurable: true },
  forward: { value: function () { goTo(current + 1) }, writable: true, configurable: true },
  state: { get: function () { return states[current] }, configurable: true },
  length: { get: function () { return states.length }, configurable: true },
})
function follow(event) {
  var path = event.composedPath(), link = path.find(function (node) { return node instanceof Element && /^(a|area)$/i.test(node.localName) })
  var address = link && (link.getAttribute('href') === null ? link.getAttribute('xlink:href') : link.getAttribute('href'))
  if (typeof address !== 'string' || event.defaultPrevented) return
  event.preventDefault()
  goToAddress(address.trim())
}
function decode(text) { try { return decodeURIComponent(text) } catch (error) { return text } }
/* the same address once more changes nothing, and the browser does not scroll */
function showTarget(name) {
  var target = document.getElementById(name) || document.anchors.namedItem(name)
  if (target) target.scrollIntoView()
}
function goToAddress(address) {
  if (/^javascript:/i.test(address)) runCode(decode(address.slice(11)))
  else if (address === '#') scrollTo(0, 0)
  else if (address.charAt(0) === '#') { location.hash = address; showTarget(decode(address.slice(1))) }
  else if (address !== '') { notice.leaving = true; tell() }
}
/* a click on a link that is in no document does not reach the window */
var click = HTMLElement.prototype.click
HTMLElement.prototype.click = function () {
  if (!this.isConnected) this.addEventListener('click', follow, { once: true })
  click.call(this)
}
function copyText(text) {
  var field = document.createElement('textarea'), before = document.activeElement
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  document.documentElement.append(field)
  field.select()
  var isCopied = document.execCommand('copy')
  field.remove()
  if (before && before.focus) before.focus({ preventScroll: true })
  return isCopied ? Promise.resolve() : Promise.reject(new DOMException('The text was not copied.', 'NotAllowedError'))
}
function refuse() { return Promise.reject(new DOMException('Only text may be copied, and nothing be read.', 'NotAllowedError')) }
define(navigator, 'clipboard', { value: { writeText: function (text) { return copyText(String(text)) }, write: refuse, read: refuse, readText: refuse }, configurable: true })
window.open = function (address) {
  if (address !== undefined && address !== '') { notice.leaving = true; tell() }
  return null
}
HTMLFormElement.prototype.submit = function () {}

/*
 * ---- dialogs: drawn here. What asked stops, and runs again with the answer. ----
 * What cannot run again (after an await, or while an app loads) gets "no" from confirm and prompt, whose text is drawn as an alert.
 */

var stop = { name: 'Waiting for an answer' }, task = null, tasks = new WeakMap(), isAsking = 0, waiting = []
var loadTask = { answers: (data.answers || []).slice(), next: 0, again: data.preview && function () { post('restart', { answers: loadTask.answers }) } }, loading = loadTask
function runTask(run, answers) {
  var before = task, own = { answers: answers || [], next: 0, again: function () { later(function () { runTask(run, own.answers) }) } }
  task = own
  try { return run() } finally { task = before }
}
function findTask() {
  if (loading) return loading
  var event = window.event
  if (!event || !event.target) return task
  if (!tasks.has(event)) tasks.set(event, { answers: [], next: 0 })
  var own = tasks.get(event), target = event.composedPath()[0]
  own.event = event
  own.again = function () {
    var copy = new event.constructor(event.type, event)
    tasks.set(copy, { answers: own.answers, next: 0 })
    target.dispatchEvent(copy)
  }
  return own
}
function ask(kind, text, initial) {
  var own = findTask()
  if (own && own.next < own.answers.length) return own.answers[own.next++]
  var canRepeat = kind !== 'alert' && own && own.again
  if (!canRepeat && own) { own.answers.push(null); own.next++ }
  /* a document that asks again and again gets no more than three dialogs at once */
  if (isAsking < 3) show(canRepeat ? kind : 'alert', text, initial, function (answer) {
    if (!canRepeat) return
    own.answers.push(answer)
    own.again()
  })
  if (!canRepeat) return kind === 'confirm' ? false : kind === 'prompt' ? null : undefined
  if (own.event) { own.event.preventDefault(); own.event.stopImmediatePropagation() }
  throw stop
}
window.alert = function (text) { ask('alert', text) }
window.confirm = function (text) { return ask('confirm', text) === true }
window.prompt = function (text, initial) { var answer = ask('prompt', text, initial); return typeof answer === 'string' ? answer : null }
window.print = function () {}

var questions = Promise.resolve(), style = 'position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center;padding:16px;background:#0006;font:16px/1.4 system-ui,sans-serif;color-scheme:light dark'
function show(kind, text, initial, answered) {
  isAsking += 1
  questions = questions.then(function () {
    return new Promise(function (resolve) {
      var holder = document.createElement('x-dialog'), root = holder.attachShadow({ mode: 'open' }), before = document.activeElement
      function make(name, css, content) { var node = document.createElement(name); node.style.cssText = css; node.textContent = content; return node }
      var back = make('div', style, ''), box = make('div', 'background:Canvas;color:CanvasText;border:1px solid GrayText;border-radius:12px;padding:20px;min-width:min(18rem,100%);max-width:min(26rem,100%);max-height:100%;box-sizing:border-box;overflow:auto', '')
      var words = make('p', 'margin:0 0 16px;white-space:pre-wrap;overflow-wrap:anywhere', text === undefined ? '' : String(text))
      var field = make('input', 'display:block;box-sizing:border-box;width:100%;margin:0 0 16px;padding:8px;font:inherit', '')
      var row = make('div', 'display:flex;gap:8px;justify-content:flex-end', '')
      var look = 'font:inherit;min-height:40px;min-width:72px;padding:4px 14px'
      var ok = make('button', look, data.labels.ok), cancel = make('button', look, data.labels.cancel)
      box.setAttribute('role', 'alertdialog')
      box.setAttribute('aria-modal', 'true')
      box.setAttribute('aria-label', words.textContent)
      words.dir = field.dir = 'auto'
      field.value = initial === undefined ? '' : String(initial)
      field.setAttribute('aria-label', words.textContent)
      function end(isOk) {
        holder.remove()
        if (document.body) document.body.inert = false
        if (document.hasFocus() && before && before.focus) before.focus({ preventScroll: true })
        isAsking -= 1
        resolve()
        answered(kind === 'prompt' ? (isOk ? field.value : null) : isOk)
        if (!isAsking) waiting.splice(0).forEach(function (run) { later(run) })
      }
      ok.onclick = function () { end(true) }
      cancel.onclick = function () { end(false) }
      back.onkeydown = function (event) {
        event.stopPropagation()
        var isEscape = event.key === 'Escape'
        if (!isEscape && (event.key !== 'Enter' || event.isComposing || event.composedPath()[0] !== field)) return
        /* what gets the focus back is not pressed */
        event.preventDefault()
        end(!isEscape || kind === 'alert')
      }
      row.append(ok)
      if (kind !== 'alert') row.prepend(cancel)
      box.append(words)
      if (kind === 'prompt') box.append(field)
      box.append(row)
      back.append(box)
      root.append(back)
      document.documentElement.append(holder)
      if (document.body) document.body.inert = true
      /* a frame that takes the keyboard from elsewhere is removed */
      if (document.hasFocus()) (kind === 'prompt' ? field : ok).focus()
    })
  })
}
[['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval'], ['requestAnimationFrame', 'cancelAnimationFrame']].forEach(function (keys) {
  var start = window[keys[0]].bind(window), clear = window[keys[1]].bind(window), resting = new Set()
  window[keys[1]] = function (id) { resting.delete(id); clear(id) }
  window[keys[0]] = function (action) {
    if (typeof action !== 'function') return start.apply(null, arguments)
    function run() {
      var args = arguments
      function call() { return runTask(function () { action.apply(window, args) }) }
      if (!isAsking) return call()
      if (keys[0] === 'setInterval') return
      resting.add(id)
      waiting.push(function () { if (resting.delete(id)) call() })
    }
    var id = start.apply(null, [run].concat([].slice.call(arguments, 1)))
    return id
  }
})

/* ---- the document: its attributes with code, its scripts in their order, its style sheets ---- */

var handlers = new WeakMap(), sheets = new WeakMap(), handlerNames = ['rel', 'href', 'media', 'src', 'data']
;[HTMLElement.prototype, HTMLBodyElement.prototype, SVGElement.prototype].forEach(function (prototype) {
  for (var key in prototype) if (/^on/.test(key) && handlerNames.indexOf(key) < 0) handlerNames.push(key)
})
/* the element whose code is run by eval; undefined while the browser knows it, or there is none */
var running, currentScript = describe(Document.prototype, 'currentScript').get
define(document, 'currentScript', { configurable: true, get: function () { return running || currentScript.call(document) } })
function runCode(code, element) {
  var before = running
  running = element
  try { return globalEval(code) } catch (error) { report(error) } finally { running = before }
}
function compile(code, parameters) {
  return runCode('(function(){with(document){with(this.form||{}){with(this){return function(' + parameters + '){' + code + '\n}.apply(this,arguments)}}}})')
}
function wire(element, changed) {
  var attributes = element.attributes, codes = handlers.get(element) || {}
  for (var i = 0; i < attributes.length; i++) {
    var name = attributes[i].name, code = attributes[i].value
    if (!/^on/.test(name) || handlerNames.indexOf(name) < 0) continue
    /* the browser has taken the handler away with its attribute; one that a script took away stays away */
    if (codes[name] === code && (name !== changed || element[name])) continue
    codes[name] = code
    handlers.set(element, codes)
    element[name] = compile(code, name === 'onerror' && element.localName === 'body' ? 'event,source,lineno,colno,error' : 'event')
  }
}
function importSheet(meta) {
  var isSheet = /(^|\s)stylesheet(\s|$)/i.test(meta.getAttribute('rel') || ''), address = isSheet && meta.getAttribute('href'), text = '', old = sheets.get(meta)
  try { if (address) text = '@import ' + JSON.stringify(new URL(address, document.baseURI).href) + ' ' + (meta.getAttribute('media') || '') + ';' } catch (error) {}
  if (old ? old.textContent === text && old.previousSibling === meta : !text) return
  if (old) old.remove()
  sheets.delete(meta)
  if (!text) return
  var sheet = document.createElement('style')
  sheet.textContent = text
  sheet.onload = sheet.onerror = function (event) { meta.dispatchEvent(new Event(event.type)) }
  sheets.set(meta, sheet)
  meta.after(sheet)
}
function take(element, changed) {
  var name = element.localName
  if (name === 'script' && element.hasAttribute('data-x-run')) return runScript(element)
  wire(element, changed)
  if (name === 'script') runInserted(element)
  if (name === 'meta') importSheet(element)
  else if (placeholderNames.indexOf(name) >= 0) wants(element.getAttribute('src') || element.getAttribute('data') || '')
  if (element.shadowRoot) watch(element.shadowRoot)
}
function scan(records) {
  records.forEach(function (record) {
    if (record.type === 'attributes' || record.target.localName === 'script') take(record.target, record.attributeName)
    record.removedNodes.forEach(function (node) { if (sheets.has(node) && !node.isConnected) sheets.get(node).remove() })
    record.addedNodes.forEach(function (node) {
      if (!(node instanceof Element) || !node.isConnected) return
      take(node)
      node.querySelectorAll('*').forEach(function (element) { take(element) })
    })
  })
}
var observer = new MutationObserver(scan)
function watch(root) {
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: handlerNames })
  root.querySelectorAll('*').forEach(function (element) { take(element) })
}
var attach = Element.prototype.attachShadow
Element.prototype.attachShadow = function (options) { var root = attach.call(this, options); watch(root); return root }
;['rel', 'href'].forEach(function (key) {
  define(HTMLMetaElement.prototype, key, { configurable: true, get: function () { return this.getAttribute(key) || '' }, set: function (value) { this.setAttribute(key, value) } })
})

/* ---- scripts that a script makes: the policy refuses those with code in them, so they are run here, where and when they are inserted ---- */

function makeScript() {
  var script = document.createElement('script')
  made.delete(script)
  return script
}
function runInserted(element) {
  var type = element.type, code = element.text
  if (!made.has(element) || !element.isConnected || element.hasAttribute('src') || !code.trim() || !runnable.test(type)) return
  made.delete(element)
  if (type === 'importmap') return readImportMap(code)
  if (type !== 'module') return runCode(code, element)
  var script = makeScript()
  script.type = 'module'
  script.src = createAddress(code)
  script.onload = script.onerror = function (event) { script.remove(); element.dispatchEvent(new Event(event.type)) }
  document.documentElement.append(script)
}
function after(object, keys, then) {
  keys.forEach(function (key) {
    var inner = Object.hasOwn(object, key) && object[key]
    if (inner) define(object, key, Object.assign(describe(object, key), { value: function () { return then(apply(inner, this, arguments)) } }))
  })
}
;[Node, Element, CharacterData, Document, DocumentFragment, Range].forEach(function (type) {
  after(type.prototype, ['appendChild', 'insertBefore', 'replaceChild', 'append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren', 'insertAdjacentElement', 'insertNode', 'surroundContents'], function (result) {
    scan(observer.takeRecords())
    return result
  })
})

/* ---- whether this browser refuses what the policy refuses, tried at a host that does not exist (RFC 2606) ---- */

function isGuarded() {
  return new Promise(function (resolve) {
    var left = ['import', 'fetch']
    addEventListener('securitypolicyviolation', function (event) {
      left = left.filter(function (name) { return event.blockedURI.indexOf('https://' + name + '.invalid') !== 0 })
      if (!left.length) resolve(!('RTCPeerConnection' in window))
    })
    later(resolve, 3000, false)
    import('https://import.invalid/').catch(function () {})
    fetch('https://fetch.invalid/').catch(function () {})
  })
}

var open = document.open, write = document.write, close = document.close, isWriting = false, rest = '', written = 0, ended = []
/* by their mark: when later scripts may run */
var ends = new Map()
/* by their mark and their rewritten code: the code that the rewriting changed. A parser never gets it */
var codes = new Map()
/* whether the parser waits for the scripts of what it is given; those that run when it has all of the document, until it has */
var waits = false, deferred = []
function createAddress(code) { return URL.createObjectURL(new Blob([code], { type: 'text/javascript' })) }
/* Runs a script that the parser was given as text. */
function runScript(inert) {
  var mark = inert.getAttribute('data-x-run'), key = mark + ' ' + inert.textContent, type = inert.getAttribute('data-x-type')
  var code = codes.has(key) ? codes.get(key) : inert.textContent, isModule = /^\s*module\s*$/i.test(type), isInline = !inert.hasAttribute('src')
  inert.removeAttribute('data-x-run')
  inert.removeAttribute('data-x-type')
  if (type === null) inert.removeAttribute('type')
  else inert.type = type
  if (isInline && /^\s*importmap\s*$/i.test(type)) return readImportMap(code)
  if (isInline && !isModule && !waits) return runCode(code, inert)
  var script = makeScript(), isAsync = inert.hasAttribute('async') && (isModule || !isInline)
  ;[].forEach.call(inert.attributes, function (attribute) { script.setAttribute(attribute.name, attribute.value) })
  script.textContent = code
  function start() {
    if (isInline && code.trim()) script.src = createAddress(code)
    if (!isAsync) script.async = false
    var end = new Promise(function (resolve) {
      function finish() {
        if (isInline) { URL.revokeObjectURL(script.src); script.removeAttribute('src') }
        resolve()
      }
      if (!script.src) return resolve()
      /* WebKit reports a script that the policy blocks to nobody but the policy's listeners */
      if (!isInline && !data.loads) return resolve()
      /* the others do not wait longer for one that does not load */
      later(resolve, 10000)
      script.addEventListener('load', finish)
      script.addEventListener('error', finish)
      addEventListener('securitypolicyviolation', function (event) { if (script.src.indexOf(event.blockedURI) === 0) resolve() })
    })
    inert.replaceWith(script)
    return end
  }
  if (deferred && !isAsync && (isModule || (!isInline && script.hasAttribute('defer')))) return deferred.push(start)
  var end = start()
  if (isAsync) return
  ended.push(end)
  if (!isModule) ends.set(mark, end)
}
/*
 * The policy has the hash of what is written here of each import map of the document (frame-document.ts): nothing but what an import map may
 * say, so that the same text is no script and no rules for prefetching. What it leads to is named, as a preview loads none of it.
 */
function readImportMap(code) {
  try {
    var map = JSON.parse(code), script = makeScript()
    script.type = 'importmap'
    script.textContent = JSON.stringify({ imports: map.imports, scopes: map.scopes, integrity: map.integrity })
    document.documentElement.append(script)
    Object.values(map.imports).forEach(wants)
  } catch (error) {}
}
var scriptStart = /<script(?=[\s\/>])/gi, scriptEnd = /<\/script(?=[\s\/>])/gi
/* The end of what stands before the next script, and that of the script. */
function findScript(html, from) {
  scriptStart.lastIndex = from
  var found = scriptStart.exec(html), quote = '', to
  if (!found) return null
  for (to = scriptStart.lastIndex; to < html.length && (quote || html[to] !== '>'); to++) {
    if (quote ? html[to] === quote : /["']/.test(html[to]) && html[to - 1] === '=') quote = quote ? '' : html[to]
  }
  scriptEnd.lastIndex = to
  var end = scriptEnd.exec(html), close = end ? html.indexOf('>', scriptEnd.lastIndex) : -1
  return close < 0 ? null : { start: found.index, attributes: html.slice(found.index + 7, to), code: html.slice(to + 1, end.index), end: close + 1 }
}
/* the repetitions are limited, so that searching takes linear time in any text */
var typeAttribute = /(\s)type(\s{0,9}=\s{0,9}(?:"([^"]{0,99})"|'([^']{0,99})'|([^\s"'>]{1,99})))/i
var runnable = /^\s*$|^module$|^importmap$|(java|ecma)script/i
function writeText(text, canWait) {
  var before = waits, unfinished = /<[\/!]?[a-z]{0,12}$/i.exec((text = rest + text))
  rest = unfinished ? unfinished[0] : ''
  waits = canWait
  try {
    apply(write, document, [rewrite(rest ? text.slice(0, -rest.length) : text)])
    scan(observer.takeRecords())
  } finally { waits = before }
}
/* Writes HTML and runs its scripts where they stand. A parser would refuse them, as their policy lets it. */
async function pour(html, canWait) {
  var from = 0, found
  while ((found = findScript(html, from))) {
    var type = typeAttribute.exec(found.attributes) || []
    if (!runnable.test(type[3] || type[4] || type[5] || '')) writeText(html.slice(from, found.end), canWait)
    else {
      var mark = String((written += 1)), rewritten = rewrite(found.code)
      if (rewritten !== found.code) codes.set(mark + ' ' + rewritten.replace(/\r\n?/g, '\n'), found.code)
      writeText(html.slice(from, found.start) + '<script type="text/x" data-x-run="' + mark + '"' + found.attributes.replace(typeAttribute, '$1data-x-type$2').replace(/\/$/, '') + '>' + rewritten + '</' + 'script>', canWait)
      var end = ends.get(mark)
      if (end && canWait) await end
    }
    from = found.end
  }
  writeText(html.slice(from), canWait)
}
/* what loads or fails while the document is written tells so when all of its scripts had the chance to listen */
var held = []
function hold(event) {
  if (!held || event.target.localName === 'script') return
  event.stopImmediatePropagation()
  held.push({ target: event.target, event: new event.constructor(event.type, event) })
}
function listen() {
  addEventListener('error', function (event) { if (event.error === stop) { event.preventDefault(); event.stopImmediatePropagation() } }, true)
  addEventListener('unhandledrejection', function (event) { if (event.reason === stop) { event.preventDefault(); event.stopImmediatePropagation() } })
  addEventListener('securitypolicyviolation', function (event) { wants(event.blockedURI) }, true)
  addEventListener('message', function (event) {
    if (event.data && event.data.method === 'preview/ping') { event.stopImmediatePropagation(); post('pong') }
  }, true)
  document.addEventListener('load', hold, true)
  document.addEventListener('error', hold, true)
  addEventListener('submit', function (event) { event.preventDefault() })
  addEventListener('click', follow)
  addEventListener('auxclick', function (event) { if (event.button === 1) follow(event) })
}
function begin() {
  isWriting = true
  rest = ''
  apply(open, document, [])
  listen()
}
function finish() {
  isWriting = false
  apply(write, document, [rewrite(rest)])
  apply(close, document, [])
}
/* other documents are not written */
define(Document.prototype, 'open', { configurable: false, writable: false, value: function () { if (this === document && !isWriting) begin(); return this } })
define(Document.prototype, 'close', { configurable: false, writable: false, value: function () { if (this === document && isWriting && !loading) finish() } })
;['write', 'writeln'].forEach(function (key) {
  define(Document.prototype, key, { configurable: false, writable: false, value: function () {
    if (this !== document) return
    if (!isWriting) begin()
    pour([].join.call(arguments, '') + (key === 'writeln' ? '\n' : ''), false)
  } })
})
/* a policy of the document's own that lets inline scripts run means those that run by eval and from an address here */
var ownPolicy = /<meta\s[^>]{0,2000}>/gi
function widen(meta) {
  return /content-security-policy/i.test(meta) ? meta.replace(/'unsafe-inline'/gi, "'unsafe-inline' 'unsafe-eval' blob:") : meta
}
addEventListener('load', function () {
  later(async function () {
    if (!(await isGuarded())) return host.postMessage({ jsonrpc: '2.0', method: 'frame/unguarded' }, '*')
    watch(document)
    begin()
    await pour('<!doctype html>' + data.html.replace(ownPolicy, widen), true)
    var starts = deferred
    deferred = null
    starts.forEach(function (start) { ended.push(start()) })
    await Promise.all(ended)
    var events = held
    held = null
    events.forEach(function (one) { one.target.dispatchEvent(one.event) })
    addEventListener('load', function () { later(function () { loading = null }) })
    finish()
  })
}, { once: true })
})()`

/** The source expression of the script, for `script-src`. A test compares it. */
export const frameScriptHash = "'sha256-zBPK/happZHMPSdwcLJrSkC176zb+vjfggbVBkIPTOA='"
