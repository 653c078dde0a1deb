import { t } from '@lingui/core/macro'
import { PanelLeft } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '../components/lazy-component.tsx'
import { Brand } from '../components/page-frame.tsx'
import { IconButton } from '../components/ui/icon-button.tsx'
import { Skeleton } from '../components/ui/skeleton.tsx'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
import { useBrand } from '../lib/api/config.ts'
import { useOnline } from '../lib/browser/online.ts'
import { whenIdle } from '../lib/browser/when-idle.ts'
import { requestLeave } from '../lib/input/leave-guard.ts'
import { useProfile } from '../lib/account/use-profile.ts'
import { useAuth } from '../features/auth/auth-context.ts'
import { AccountButton } from '../features/account/account-button.tsx'
import { setCurrentDialog } from './current-dialog.ts'

const AccountMenu = lazyComponent(() => import('../features/account/account-menu.tsx'), 'AccountMenu')

/** Load once the page is interactive: the composer does not wait for them. */
const loadParts = async () => {
  await whenIdle()
  return import('./top-bar-parts.tsx')
}
const DemoNote = lazyComponent(loadParts, 'DemoNote', null, { silent: true })
const TopBarTools = lazyComponent(loadParts, 'TopBarTools', <Skeleton className="mx-2.5 w-50 max-sm:w-18" />)

/** The bar above chats and the other pages with the list of conversations; with a note if the model is simulated. */
export function TopBar({
  user,
  isHistoryShown,
  onToggleHistory,
}: {
  user: SignedInUser
  /** whether the list is shown beside the page; undefined if it opens over it */
  isHistoryShown: boolean | undefined
  onToggleHistory: () => void
}) {
  const { assistantName } = useBrand()
  const isOnline = useOnline()
  return (
    <header className="sticky top-0 z-(--z-topbar) flex h-(--height-topbar) items-center gap-2 bg-surface pe-4 ps-3 max-sm:gap-1 max-sm:pe-3 max-sm:ps-1">
      <IconButton
        label={t`Your Conversations`}
        onClick={onToggleHistory}
        icon={<PanelLeft size={20} strokeWidth={1.75} />}
        {...(isHistoryShown === undefined
          ? { 'aria-haspopup': 'dialog' }
          : { 'aria-expanded': isHistoryShown })}
      />
      <Brand title={isOnline ? t`${assistantName} Online` : undefined} />
      <DemoNote />
      <div className="flex-1" />
      <TopBarTools userId={user.sub} />
      <AccountMenuOnceLoaded user={user} />
    </header>
  )
}

/** The account menu; its code loads after the page. What opens it before that opens it once it has loaded. */
function AccountMenuOnceLoaded({ user }: { user: SignedInUser }) {
  const { signOut } = useAuth()
  const profile = useProfile(user)
  const [open, setOpen] = useState(false)
  const [isLoaded, setIsLoaded] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  useEffect(() => {
    // a load error is reported when the menu is first opened
    void whenIdle().then(AccountMenu.preload).then(setIsLoaded)
  }, [])
  const openMenu = () => {
    setOpen(true)
    setIsFocused(false)
  }
  const placeholder = (
    <AccountButton
      profile={profile}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      onPointerDown={(event) => {
        // the menu may replace the button before it is released, and then there is no click
        if (event.button !== 0) return
        // keeps the focus for the menu
        event.preventDefault()
        openMenu()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        openMenu()
      }}
      onClick={openMenu}
    />
  )
  // the focus would be lost if the button were replaced while it has it
  if (!open && (!isLoaded || isFocused)) return placeholder
  return (
    <Suspense fallback={placeholder}>
      <AccountMenu
        profile={profile}
        open={open}
        onOpenChange={setOpen}
        onShowShortcuts={() => setCurrentDialog('shortcuts')}
        onSignOut={() => requestLeave(() => void signOut())}
      />
    </Suspense>
  )
}
