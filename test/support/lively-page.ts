import type { FrameLocator } from 'playwright-core'
import { expect } from 'vitest'

/** An ordinary page, which stores, asks, and leads to its own parts. */
export const livelyPage = `<!doctype html><body onload="document.title='loaded'"><h1></h1><a href="#end">To the end</a>
<button onclick="clicks++; if (confirm('Delete all?')) this.textContent = 'Deleted after ' + clicks">Delete</button>
<button onclick="var name = prompt('Your name?', 'Ann'); this.textContent = 'Hello ' + name">Greet</button>
<button onclick="alert('Saved'); localStorage.setItem('best', 7); document.cookie = 'seen=yes; path=/'; history.pushState({ page: 2 }, '', '/two')">Save</button>
<div style="height:3000px"></div><h2 id="end">The end</h2>
<script>const first = 1; var clicks = 0</script>
<script>document.querySelector('h1').textContent = 'Best ' + (localStorage.best || 'none') + ' ' + (document.cookie || 'no cookie') + ' ' + first</script></body>`

/**
 * Uses each part of the page as its user does.
 * @param frame where it runs, loaded for the first time
 * @param look called while it asks
 */
export async function useLivelyPage(frame: FrameLocator, look?: () => Promise<void>): Promise<void> {
  await frame.getByRole('heading', { name: 'Best none no cookie 1' }).waitFor()
  await frame.getByRole('button', { name: 'Delete' }).click()
  await frame
    .getByRole('alertdialog', { name: 'Delete all?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await frame.getByRole('button', { name: 'Delete' }).click()
  await look?.()
  await frame.getByRole('button', { name: 'OK' }).click()
  await frame.getByRole('button', { name: 'Deleted after' }).waitFor()
  await frame.getByRole('button', { name: 'Greet' }).click()
  await frame.getByRole('textbox', { name: 'Your name?' }).fill('Bo')
  await frame.getByRole('textbox').press('Enter')
  await frame.getByRole('button', { name: 'Hello Bo' }).waitFor()
  await frame.getByRole('button', { name: 'Save' }).click()
  await frame.getByRole('alertdialog', { name: 'Saved' }).getByRole('button', { name: 'OK' }).click()
  await frame.getByRole('link', { name: 'To the end' }).click()
  await expect
    .poll(() => frame.getByRole('heading', { name: 'The end' }).evaluate(() => scrollY > 500))
    .toBe(true)
  await frame.getByRole('heading', { name: 'The end' }).waitFor()
}
