import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LoadingScreen } from './src/components/loading-screen.tsx'
import page from './index.html?raw'

const withoutSpace = (html: string) => html.replace(/\s+/g, ' ').replace(/ ?([<>]) ?/g, '$1')

test('NAV-10 index.html shows the loading screen until the script runs', () => {
  // without scripts a link reloads what a button reloads later
  const withLink = (html: string) => html.replace(/<button type="button"(.*?)<\/button>/, '<a href=""$1</a>')
  const [, shown] = /<div id="root">(.*?<\/main>)/s.exec(page) ?? []
  expect(withoutSpace(shown ?? '')).toBe(withLink(withoutSpace(renderToStaticMarkup(<LoadingScreen />))))
})
