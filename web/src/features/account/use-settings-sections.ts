import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from '../../lib/navigation/router.tsx'
import { isSettingsSection, settingsSections, type SettingsSection } from './settings-sections.ts'

/** How far from the top a section stands at most after scrolling to it: `scroll-padding-top` of the page and `scroll-mt-8`, rounded up. */
const sectionTopPx = 129

/** The section that the address names when the page opens; undefined if it names none. */
function findFirstSection(pathname: string): SettingsSection | undefined {
  const id = location.hash.slice(1)
  if (isSettingsSection(id)) return id
  return pathname === '/profile' ? 'profile' : undefined
}

/** Scrolls to a section and moves the focus there. Does nothing for an id that the page does not have. */
function goToSection(id: string): void {
  const section = document.getElementById(id)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/**
 * The section of the settings that the user is in, by its link, by the address and by scrolling.
 * @returns `opened`, the only section that a phone shows, undefined for the list of sections; `current`, which wider screens mark; `show` and
 * `close`, which open a section and return to the list
 */
export function useSettingsSections() {
  const { pathname, key, hash } = useLocation()
  const [opened, setOpened] = useState(() => findFirstSection(pathname))
  const [current, setCurrent] = useState<SettingsSection>(opened ?? 'profile')
  // a link to a section may be followed while the page is open; the address that `show` writes is not the router's
  const address = `${key} ${hash}`
  const [followed, setFollowed] = useState({ address, to: '' })
  if (followed.address !== address) {
    const to = hash.slice(1)
    setFollowed({ address, to })
    if (isSettingsSection(to)) {
      setOpened(to)
      setCurrent(to)
    }
  }
  useEffect(() => goToSection(followed.to), [followed])

  // at once, so that the section can be scrolled to
  const open = useCallback(
    (id: SettingsSection) =>
      flushSync(() => {
        setOpened(id)
        setCurrent(id)
      }),
    [],
  )
  useEnteredAddress(open)
  useScrolledSection(setCurrent)
  const show = (id: SettingsSection) => {
    open(id)
    // it stays the same page: nothing is left, and Back leads out of the settings. After `open`, whose entry of the history gets the address
    history.replaceState(history.state, '', `#${id}`)
    goToSection(id)
  }
  const close = () => {
    // at once, so that the link in the list can have the focus
    flushSync(() => setOpened(undefined))
    if (opened) document.getElementById(`to-${opened}`)?.focus()
  }
  return { opened, current, show, close }
}

/**
 * Opens the section whose address the user enters. The browser leaves the entry of the section that a phone shows before that, which closes
 * it (`useBackCloses`).
 */
function useEnteredAddress(open: (id: SettingsSection) => void): void {
  useEffect(() => {
    const openEntered = () => {
      const id = location.hash.slice(1)
      if (!isSettingsSection(id)) return
      open(id)
      goToSection(id)
    }
    addEventListener('hashchange', openEntered)
    return () => removeEventListener('hashchange', openEntered)
  }, [open])
}

/** Tells which section is at the top of the screen as the page is scrolled. @param onChange must be stable */
function useScrolledSection(onChange: (id: SettingsSection) => void): void {
  useEffect(() => {
    const followScrolling = () => {
      // the last sections may not reach the top: what was chosen stays
      if (innerHeight + scrollY >= document.documentElement.scrollHeight - 1) return
      const passed = Object.keys(settingsSections)
        .filter(isSettingsSection)
        .findLast(
          (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= sectionTopPx,
        )
      onChange(passed ?? 'profile')
    }
    addEventListener('scroll', followScrolling, { passive: true })
    return () => removeEventListener('scroll', followScrolling)
  }, [onChange])
}
