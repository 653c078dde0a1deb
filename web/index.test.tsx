import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LoadingScreen } from './src/components/loading-screen.tsx'
import page from './index.html?raw'

const normalizeSpace = (html: string) => html.replace(/\s+/g, ' ').replace(/ ?([<>]) ?/g, '$1')

test('NAV-10 index.html shows the loading screen until the script runs', () => {
  // before the script runs, a link reloads the page instead of the button
  const replaceButtonWithLink = (html: string) =>
    html.replace(/<button type="button"(.*?)<\/button>/, '<a href=""$1</a>')
  const [, loadingScreen] = /<div id="root">(.*?<\/main>)/s.exec(page) ?? []
  expect(normalizeSpace(loadingScreen ?? '')).toBe(
    replaceButtonWithLink(normalizeSpace(renderToStaticMarkup(<LoadingScreen />))),
  )
})

test('an element stands after the root, so that a dialog that comes after it does not have the whole page styled anew', () => {
  const parsed = new DOMParser().parseFromString(page, 'text/html')
  // a build moves scripts to the head
  for (const script of parsed.querySelectorAll('script')) script.remove()
  expect(parsed.getElementById('root')?.nextElementSibling).toBeTruthy()
})
