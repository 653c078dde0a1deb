import { Card } from '../../components/ui/card.tsx'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bell,
  Brain,
  ChartColumn,
  Download,
  Link,
  List,
  Lock,
  NotebookPen,
  Shield,
  User,
  type LucideIcon,
} from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { SectionLayout, SectionNav } from '../../components/section-nav.tsx'
import { Select } from '../../components/ui/select-field.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { useBackToChat } from '../../lib/navigation/use-back-to-chat.ts'
import { useBrand } from '../../lib/api/config.ts'
import { useBackCloses } from '../../lib/browser/use-back-closes.ts'
import { phoneQuery, useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { SettingsCards } from './settings-cards.tsx'
import {
  isSettingsSection,
  listSettingsGroups,
  settingsSections,
  type SettingsSection,
} from './settings-sections.ts'
import { flushSync } from 'react-dom'
import { useLocation } from '../../lib/navigation/router.tsx'

/** The settings. @param importCard of another feature */
export function SettingsPage({ user, importCard }: { user: SignedInUser; importCard: ReactNode }) {
  const query = useQuery(accountQuery)
  const { onBack } = useBackToChat()
  useDocumentTitle(t`Settings`)
  const { assistantName } = useBrand()
  const { opened, current, show, close } = useSettingsSections()
  const isPhone = useMediaQuery(phoneQuery)
  const isOneShown = isPhone && opened !== undefined
  const isListShown = isPhone && !isOneShown
  useBackCloses(isOneShown, close)
  const nav = (
    <SectionNav
      label={t`Sections`}
      groups={listSettingsGroups(assistantName).map(({ heading, ids }) => ({
        heading,
        sections: ids.map((id) => ({
          id,
          label: settingsSections[id],
          path: `#${id}`,
          Icon: sectionIcons[id],
        })),
      }))}
      current={isPhone ? undefined : current}
      onFollow={show}
      className={isOneShown ? 'max-lg:hidden' : 'sm:max-lg:hidden'}
    />
  )

  return (
    <div className="min-h-dvh">
      <PageHeader
        wide
        title={isOneShown ? settingsSections[opened] : t`Settings`}
        subtitle={isOneShown ? undefined : t`Manage your account preferences`}
        onBack={isOneShown ? close : onBack}
      />
      <div className="sticky top-18 z-1 border-b border-line bg-surface max-sm:hidden lg:hidden">
        <div className="mx-auto max-w-[calc(var(--width-sections)+3rem)] px-6 py-1.5">
          <Select
            aria-label={t`Sections`}
            value={current}
            options={Object.entries(settingsSections).map(([value, label]) => ({ value, label }))}
            onChange={(id) => isSettingsSection(id) && show(id)}
          />
        </div>
      </div>
      <SectionLayout
        // while it is all there is, it is the page's content
        nav={isListShown ? <main>{nav}</main> : nav}
      >
        <main className={isListShown ? 'hidden' : 'grid gap-4 pt-6 max-sm:pt-4 lg:pt-0'}>
          <QueryContent
            query={query}
            label={t`Loading your settings`}
            failure={t`Your settings could not be loaded.`}
            placeholder={cardPlaceholders}
          >
            {(account) => (
              <SettingsCards
                account={account}
                user={user}
                importCard={importCard}
                shown={isOneShown ? opened : undefined}
              />
            )}
          </QueryContent>
        </main>
      </SectionLayout>
    </div>
  )
}

const sectionIcons: Record<SettingsSection, LucideIcon> = {
  profile: User,
  notifications: Bell,
  instructions: NotebookPen,
  memory: Brain,
  prompts: List,
  security: Shield,
  privacy: Lock,
  links: Link,
  import: Download,
  usage: ChartColumn,
  activity: Activity,
}

/** In place of the first cards, about as high as these. */
const cardPlaceholders = [160, 224, 160].map((height, index) => (
  <Card key={index} className="p-6" style={{ height }}>
    <Skeleton className="h-4 w-40" />
    <Skeleton className="mt-8 w-full" />
    <Skeleton className="mt-4 w-2/3" />
  </Card>
))

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
function useSettingsSections() {
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
