import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Blocks,
  CalendarClock,
  Folder,
  FolderOpen,
  Inbox,
  Keyboard,
  Settings,
  ShieldUser,
  SquarePen,
} from 'lucide-react'
import { settingsSections } from '../features/account/settings-sections.ts'
import type { Destination } from '../features/search/search-options.ts'
import { accountQuery, useRight } from '../lib/account/account-queries.ts'
import {
  adminUsersPath,
  filesPath,
  integrationsPath,
  projectPath,
  schedulesPath,
  settingsPath,
  waitingPath,
} from '../lib/navigation/paths.ts'
import { useNavigate } from '../lib/navigation/router.tsx'
import { projectsQuery } from '../lib/queries/project-queries.ts'
import { useCanShare } from '../lib/queries/share-queries.ts'

/** What the search finds by name beside conversations: actions, pages, sections of the settings and projects. */
export function useDestinations({
  onNewChat,
  onShowShortcuts,
}: {
  onNewChat: () => void
  onShowShortcuts: () => void
}): Destination[] {
  const navigate = useNavigate()
  // fetched by `Maintenance` and `GlobalDialogs`
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: false })
  const isSharingOn = useCanShare()
  const mayHaveSchedules = useRight('schedules')
  const toPage = (label: string, path: string, icon: Destination['icon'], note?: string): Destination => ({
    label,
    icon,
    ...(note !== undefined && { note }),
    isOnlyFound: true,
    onSelect: () => navigate(path),
  })
  return [
    {
      label: t`Start Fresh Chat`,
      icon: <SquarePen aria-hidden size={16} />,
      onSelect: onNewChat,
    },
    {
      label: t`Keyboard shortcuts`,
      icon: <Keyboard aria-hidden size={16} />,
      onSelect: onShowShortcuts,
    },
    toPage(t`Settings`, settingsPath, <Settings aria-hidden size={16} />),
    toPage(t`Tools`, integrationsPath, <Blocks aria-hidden size={16} />),
    toPage(t`Your files`, filesPath, <FolderOpen aria-hidden size={16} />),
    toPage(t`Waiting for you`, waitingPath, <Inbox aria-hidden size={16} />),
    ...(mayHaveSchedules
      ? [toPage(t`Scheduled`, schedulesPath, <CalendarClock aria-hidden size={16} />)]
      : []),
    ...(account?.is_admin
      ? [toPage(t`Administration`, adminUsersPath, <ShieldUser aria-hidden size={16} />)]
      : []),
    ...projects.map(({ id, name }) =>
      toPage(name, projectPath(id), <Folder aria-hidden size={16} />, t`Project`),
    ),
    ...Object.entries(settingsSections)
      .filter(([id]) => id !== 'links' || isSharingOn)
      .map(([id, label]) =>
        toPage(label, `${settingsPath}#${id}`, <Settings aria-hidden size={16} />, t`Settings`),
      ),
  ]
}
