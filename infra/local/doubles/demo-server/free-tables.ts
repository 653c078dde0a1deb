import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { appMimeType, appProtocolVersion } from '#shared/mcp-apps.ts'

const uri = 'ui://demo-restaurant/free-tables'

const days = [
  { day: 'Monday', tables: 7 },
  { day: 'Tuesday', tables: 5 },
  { day: 'Wednesday', tables: 6 },
  { day: 'Thursday', tables: 3 },
  { day: 'Friday', tables: 1 },
]

/** A tool whose result has an app (SEP-1865), and a tool that only this app may call. */
export function registerFreeTables(server: McpServer): void {
  server.registerTool(
    'free_tables',
    {
      title: 'Show free tables',
      description: 'Shows the free tables of the week in a chart.',
      inputSchema: z.object({ restaurant: z.string().default('Osteria') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: { ui: { resourceUri: uri } },
    },
    ({ restaurant }) => ({
      content: [{ type: 'text', text: days.map(({ day, tables }) => `${day}: ${tables}`).join(', ') }],
      structuredContent: { restaurant, days },
    }),
  )
  server.registerTool(
    'hold_table',
    {
      title: 'Hold a table',
      description: 'Holds a table for an hour.',
      inputSchema: z.object({ restaurant: z.string(), day: z.enum(days.map(({ day }) => day)) }),
      annotations: { readOnlyHint: false, destructiveHint: false },
      _meta: { ui: { visibility: ['app'] } },
    },
    ({ restaurant, day }) => ({ content: [{ type: 'text', text: `Held at ${restaurant}: ${day}.` }] }),
  )
  server.registerResource('free-tables', uri, { mimeType: appMimeType }, () => ({
    contents: [{ uri, mimeType: appMimeType, text: page }],
  }))
}

/** The app: a chart of the tool's result; a click on a day calls the other tool. */
const page = `<!doctype html>
<html lang="en">
<title>Free tables</title>
<style>
  :root { color-scheme: light dark; font: 14px system-ui, sans-serif; }
  body { margin: 0; padding: 12px 16px; color: light-dark(#221f1b, #edebe7); background: light-dark(#fff, #1e1c1a); }
  h1 { font-size: 15px; margin: 0 0 8px; }
  li { display: grid; grid-template-columns: 90px 1fr 64px; gap: 8px; align-items: center; margin: 4px 0; }
  ul { list-style: none; margin: 0; padding: 0; }
  meter { width: 100%; }
  p { margin: 8px 0 0; }
</style>
<h1>Free tables</h1>
<ul></ul>
<p role="status"></p>
<script>
  var next = 1, waiting = {}
  function post(message) { parent.postMessage(Object.assign({ jsonrpc: '2.0' }, message), '*') }
  function request(method, params) {
    var id = next++
    return new Promise(function (resolve, reject) {
      waiting[id] = { resolve: resolve, reject: reject }
      post({ id: id, method: method, params: params })
    })
  }
  function say(text) { document.querySelector('[role=status]').textContent = text; resize() }
  function resize() {
    post({ method: 'ui/notifications/size-changed', params: { height: document.documentElement.getBoundingClientRect().height } })
  }
  function appear(context) {
    if (context.theme) document.documentElement.style.colorScheme = context.theme
  }
  function hold(restaurant, day) {
    say('Asking for ' + day + ' ...')
    request('tools/call', { name: 'hold_table', arguments: { restaurant: restaurant, day: day } }).then(
      function (result) { say(result.content[0].text) },
      function (error) { say(error.message) },
    )
  }
  function draw(data) {
    document.querySelector('h1').textContent = 'Free tables: ' + data.restaurant
    document.querySelector('ul').replaceChildren.apply(document.querySelector('ul'), data.days.map(function (each) {
      var row = document.createElement('li')
      var meter = document.createElement('meter')
      var button = document.createElement('button')
      meter.max = 8
      meter.value = each.tables
      meter.setAttribute('aria-label', each.tables + ' tables')
      button.textContent = 'Hold'
      button.setAttribute('aria-label', 'Hold ' + each.day)
      button.onclick = function () { hold(data.restaurant, each.day) }
      row.append(each.day, meter, button)
      return row
    }))
    resize()
  }
  addEventListener('message', function (event) {
    var message = event.data
    if (event.source !== parent || !message || message.jsonrpc !== '2.0') return
    if (message.method === 'ui/notifications/tool-result') draw(message.params.structuredContent)
    else if (message.method === 'ui/notifications/host-context-changed') appear(message.params)
    else if (message.method === 'ui/resource-teardown') post({ id: message.id, result: {} })
    else if (message.method === undefined && waiting[message.id]) {
      if (message.error) waiting[message.id].reject(message.error)
      else waiting[message.id].resolve(message.result)
      delete waiting[message.id]
    }
  })
  request('ui/initialize', {
    protocolVersion: '${appProtocolVersion}',
    appInfo: { name: 'Free tables', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  }).then(function (result) {
    appear(result.hostContext)
    post({ method: 'ui/notifications/initialized', params: {} })
  })
</script>
</html>
`
