import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ensureWebBuild, webDist } from '../infra/local/web-build.ts'
import vite from '../web/vite.config.ts'
import { findUnsupportedCalls, findUnsupportedStyles, type Browsers } from './support/web-standards.ts'

/** What the build is made for besides Chromium, in which the tests run: see web/vite.config.ts. */
const targets = [vite.build?.cssTarget ?? []].flat().join()
const version = (name: string) => Number(new RegExp(`${name}([\\d.]+)`).exec(targets)?.[1])
const browsers: Browsers = { firefox: version('firefox'), safari: version('safari') }

/** What not every one of them has, and why the page can do without it there. */
const tolerated: Record<string, string> = {
  '.PlainDateTime': 'the library of times of schedules brings its own',
  '.PlainTime': 'the library of times of schedules brings its own',
  '.columnNumber': 'JSON5 sets it on its own errors',
  '.displayName': 'React components have one too',
  '.fileName': 'options for Word documents have one too',
  '.isError': 'results of queries have one too',
  '.lineNumber': 'JSON5 sets it on its own errors, and options for Word documents have one',
  '.toTemporalInstant': 'the library of times of schedules brings its own',
  'Error.captureStackTrace': 'the library that packs Word documents asks whether it is there',
  'Intl.DurationFormat': 'the library of times of schedules asks whether it is there',
  'Symbol.asyncDispose': 'zip.js uses a symbol of its own where there is none',
  'at-rule page': 'on paper the margins are the browser’s own',
  navigation: 'the router’s types of navigation, asked for where it is there',
  'navigator.canShare': 'without it the address is copied',
  'navigator.connection': 'Amplify asks whether it is there',
  'navigator.share': 'without it the address is copied',
  'property -webkit-tap-highlight-color': 'a colour under the finger, on phones that draw one',
  'property accent-color': 'boxes of lists keep the browser’s colour',
  'property content-visibility': 'everything is drawn at once, which is slower and looks the same',
  'property field-sizing': 'the field can be pulled larger by hand',
  'property forced-color-adjust': 'for systems that choose every colour, which Safari’s do not',
  'property orphans': 'a single line may stand at the foot of a printed page',
  'property overscroll-behavior': 'pulling at the top reloads the page, where the browser does that',
  'property scrollbar-color': 'scrollbars look as the system draws them',
  'property scrollbar-gutter': 'the text moves by half a scrollbar when it comes to need one',
  'property scrollbar-width': 'scrollbars look as the system draws them',
  'property text-size-adjust': 'its -webkit- form stands beside it, for phones that would enlarge text',
  'property user-select': 'its -webkit- form stands beside it',
  'property widows': 'a single line may stand at the head of a printed page',
  requestIdleCallback: 'Safari waits for a moment instead',
  'selector -moz-progress-bar': 'the bar of each browser has a rule of its own',
  'selector -webkit-inner-spin-button': 'only browsers that draw one need the rule',
  'selector -webkit-progress-bar': 'the bar of each browser has a rule of its own',
  'selector -webkit-progress-value': 'the bar of each browser has a rule of its own',
  'selector details-content': 'the dialog that prints opens what is hidden itself',
  setImmediate: 'React uses it where it is there',
  'value of break-after avoid': 'a printed heading may stand alone at the foot of a page',
  'value of content-visibility auto': 'as the property',
  'value of content-visibility visible': 'as the property',
  'value of field-sizing content': 'as the property',
  'value of font-family ui-monospace': 'other fonts follow in the list',
  'value of forced-color-adjust none': 'as the property',
  'value of scrollbar-gutter stable': 'as the property',
  'value of scrollbar-width thin': 'as the property',
  'value of text-decoration dotted': 'the rule under an abbreviation is solid',
  'value of text-wrap pretty': 'lines break as they always did',
  'value of justify-content safe': 'an empty chat stands at the top',
}

beforeAll(() => ensureWebBuild())

it('the page uses nothing that Firefox and Safari lack, except what it works without', async () => {
  const folder = join(webDist, 'assets')
  const found = new Set<string>()
  for (const name of await readdir(folder)) {
    const text = /\.(css|js)$/.test(name) ? await readFile(join(folder, name), 'utf8') : ''
    const unsupported = name.endsWith('.css')
      ? findUnsupportedStyles(text, browsers)
      : findUnsupportedCalls(text, browsers)
    for (const one of unsupported) found.add(one)
  }
  expect([...found].toSorted()).toEqual(Object.keys(tolerated).toSorted())
})

it('knows which browsers lack a feature', () => {
  const older = { firefox: 121, safari: 17.5 }
  expect(
    findUnsupportedCalls(
      'new Intl.Segmenter(); AbortSignal.any([]); navigator.usb; showOpenFilePicker()',
      older,
    ),
  ).toEqual(['AbortSignal.any', 'Intl.Segmenter', 'navigator.usb', 'showOpenFilePicker'])
  expect(findUnsupportedCalls('[3].toSorted(); URL.canParse(""); new BroadcastChannel("a")', older)).toEqual(
    [],
  )
  const sheet =
    '@media (width>9px){a:hover{color:light-dark(#000,#fff);text-wrap:pretty;field-sizing:content}}'
  expect(findUnsupportedStyles(sheet, older)).toEqual([
    'property field-sizing',
    'value of field-sizing content',
    'value of text-wrap pretty',
  ])
})
