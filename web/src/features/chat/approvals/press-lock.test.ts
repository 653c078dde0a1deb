import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdCardClock, unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { createPressLock, relockCards, type PressLock } from './press-lock.ts'

let lock: PressLock | undefined
let topPx = 0
const isFooterLocked = vi.fn<(isLocked: boolean) => void>()
const onPress = vi.fn<() => void>()

/** A card with a button in its content and one in its footer. */
function createCard() {
  document.body.innerHTML = '<section><button id="more"></button><footer><button></button></footer></section>'
  const card = document.querySelector<HTMLElement>('section')!
  const footer = document.querySelector('footer')
  lock = createPressLock(card, () => footer, isFooterLocked)
  for (const button of document.querySelectorAll('button')) button.addEventListener('click', onPress)
  return {
    more: document.querySelector<HTMLElement>('#more')!,
    decide: document.querySelector<HTMLElement>('footer button')!,
  }
}

beforeEach(() => {
  topPx = 400
  isFooterLocked.mockReset()
  onPress.mockReset()
  holdCardClock()
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(20, topPx, 80, 40),
  )
})
afterEach(() => {
  lock?.dispose()
  document.body.innerHTML = ''
})

it('marks a button of the content itself, and tells of the footer', () => {
  const { more, decide } = createCard()
  expect([more.ariaDisabled, more.dataset['locked'], decide.ariaDisabled]).toEqual(['true', '', null])
  expect(isFooterLocked.mock.lastCall).toEqual([true])
  unlockCards()
  lock?.measure()
  expect([more.ariaDisabled, more.dataset['locked']]).toEqual([null, undefined])
  expect(isFooterLocked.mock.lastCall).toEqual([false])
})

it('does not touch the mark of a button that its component has disabled', () => {
  const { more } = createCard()
  unlockCards()
  lock?.measure()
  more.ariaDisabled = 'true'
  topPx -= 100
  lock?.measure()
  unlockCards()
  lock?.measure()
  expect([more.ariaDisabled, more.dataset['locked']]).toEqual(['true', undefined])
})

it('a button whose label changes is another button', () => {
  const { decide } = createCard()
  unlockCards()
  lock?.measure()
  decide.textContent = 'Delete'
  decide.click()
  expect(onPress).not.toHaveBeenCalled()
  unlockCards()
  decide.click()
  expect(onPress).toHaveBeenCalledOnce()
})

it('measures nothing once all buttons have settled, until something may have moved them', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  createCard()
  unlockCards()
  vi.advanceTimersByTime(1_000)
  expect(isFooterLocked.mock.lastCall).toEqual([false])
  isFooterLocked.mockReset()
  vi.advanceTimersByTime(60_000)
  expect(isFooterLocked).not.toHaveBeenCalled()
  topPx -= 100
  dispatchEvent(new Event('scroll'))
  vi.advanceTimersByTime(1_000)
  expect(isFooterLocked.mock.calls[0]).toEqual([true])
  vi.useRealTimers()
})

it('what the page has scrolled by itself is locked again', () => {
  const { decide } = createCard()
  unlockCards()
  lock?.measure()
  relockCards()
  decide.click()
  expect(onPress).not.toHaveBeenCalled()
})

it('takes every press after its end', () => {
  const { decide } = createCard()
  decide.click()
  expect(onPress).not.toHaveBeenCalled()
  lock?.dispose()
  decide.click()
  expect(onPress).toHaveBeenCalledOnce()
})
