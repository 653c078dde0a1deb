import clsx from 'clsx'
import { useCallback, useEffect, useRef } from 'react'
import { Navigate, NavLink, Route, Routes, useLocation, useNavigate } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery } from '../../lib/account-queries.ts'
import { useBackToChat } from '../../lib/use-back-to-chat.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { AppsSection } from './apps/apps-section.tsx'
import { AuditSection } from './audit/audit-section.tsx'
import { GroupsSection } from './groups/groups-section.tsx'
import { InvitationsSection } from './invitations/invitations-section.tsx'
import { UsageSection } from './usage/usage-section.tsx'
import { UserSection } from './users/user-section.tsx'
import { UsersSection } from './users/users-section.tsx'
import { useRoleLoss } from './use-role-loss.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import * as texts from './texts.ts'

const sections = [
  { path: 'users', label: texts.users },
  { path: 'invitations', label: texts.invitations },
  { path: 'groups', label: texts.groups },
  { path: 'apps', label: texts.apps },
  { path: 'usage', label: texts.usage },
  { path: 'log', label: texts.log },
] as const

/** The administration. @param isAdmin false once the role was taken away while the page was open */
export function AdminPage({ user, isAdmin }: { user: SignedInUser; isAdmin: boolean }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { onBack } = useBackToChat()
  const queryClient = useQueryClient()

  const leave = useCallback(() => {
    showToast('info', texts.roleLost, { id: 'role-lost', description: texts.roleLostHint })
    void navigate('/', { replace: true })
    // the account menu shows its link to the administration by this query
    void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
  }, [navigate, queryClient])
  useRoleLoss(leave)
  useEffect(() => {
    if (!isAdmin) leave()
  }, [isAdmin, leave])

  const section = sections.find(({ path }) => pathname.split('/')[2] === path)?.label ?? texts.administration
  useDocumentTitle(`${section} - ${texts.administration}`)

  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader title={texts.administration} subtitle={texts.subtitle} onBack={onBack} />
      <main className="mx-auto grid max-w-[calc(var(--width-settings)+3rem)] grid-cols-1 gap-4 px-6 pt-4 pb-16 max-sm:px-4 max-sm:pt-3 max-sm:pb-12">
        <SectionLinks />
        <Routes>
          <Route index element={<Navigate to="/admin/users" replace />} />
          <Route path="users" element={<UsersSection />} />
          <Route path="users/:userId" element={<UserSection ownId={user.sub} />} />
          <Route path="invitations" element={<InvitationsSection />} />
          <Route path="groups" element={<GroupsSection />} />
          <Route path="apps" element={<AppsSection />} />
          <Route path="usage" element={<UsageSection />} />
          <Route path="log" element={<AuditSection />} />
          <Route path="*" element={<p className="py-8 text-ink-muted">{texts.unknownPage}</p>} />
        </Routes>
      </main>
    </div>
  )
}

function SectionLinks() {
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // a phone does not show all of them at once
    const current = nav.current?.querySelector('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav ref={nav} aria-label={texts.sections} className="-mx-1 overflow-x-auto px-1 py-1 scroll-quiet">
      <ul className="flex gap-1">
        {sections.map(({ path, label }) => (
          <li key={path}>
            <NavLink
              to={`/admin/${path}`}
              className={({ isActive }) =>
                clsx(
                  'inline-flex h-9 items-center rounded-md px-3 font-medium whitespace-nowrap no-underline transition-colors duration-(--duration-fast) max-sm:h-11 max-sm:px-2 max-[359px]:px-1',
                  isActive
                    ? 'bg-accent-soft text-accent-ink'
                    : 'text-ink-muted hover:bg-surface-hover hover:text-ink',
                )
              }
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
