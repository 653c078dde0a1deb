import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LoadingScreen } from './src/components/loading-screen.tsx'
import page from './index.html?raw'

const withoutSpace = (html: string) => html.replace(/\s+/g, ' ').replace(/ ?([<>]) ?/g, '$1')

test('NAV-10 index.html shows the loading screen until the script runs', () => {
  const [, shown] = /<div id="root">(.*?<\/main>)/s.exec(page) ?? []
  expect(withoutSpace(shown ?? '')).toBe(withoutSpace(renderToStaticMarkup(<LoadingScreen />)))
})
