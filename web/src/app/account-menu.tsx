import { useQueryClient } from '@tanstack/react-query'
import { CircleUser, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Avatar } from '../components/ui/avatar.tsx'
import {
  Menu,
  MenuChoice,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '../components/ui/menu.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { saveSettings } from '../lib/account-queries.ts'
import { requestLeave } from '../lib/leave-guard.ts'
import { chooseTheme, useTheme, type Theme } from '../lib/theme.ts'
import type { Person } from '../lib/use-person.ts'
import { AccountButton } from './account-button.tsx'
import { showOverlay } from './overlays.ts'

const themes: readonly { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden size={16} /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden size={16} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden size={16} /> },
]

/** Who is signed in, their settings, the theme, and the way out (MENU-01 to MENU-06, LIB-20). */
export function AccountMenu({
  person,
  open,
  onOpenChange,
}: {
  person: Person
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { signOut } = useAuth()
  const theme = useTheme()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    // the choice holds in this browser either way
    saveSettings(queryClient, { theme: chosen }).catch(() => undefined)
  }
  return (
    // a modal one would hide the page, landmarks and headings included, from screen readers for a few lines beside a button
    <Menu open={open} onOpenChange={onOpenChange} modal={false}>
      <MenuTrigger asChild>
        <AccountButton person={person} />
      </MenuTrigger>
      <MenuContent>
        <div className="flex items-center gap-2.5 px-2.5 pt-1.5 pb-2">
          <Avatar initials={person.initials} imageUrl={person.imageUrl} />
          <div className="min-w-0">
            <p className="truncate font-medium" title={person.name}>
              {person.name}
            </p>
            <p className="truncate text-sm text-ink-muted" title={person.email}>
              {person.email}
            </p>
          </div>
        </div>
        <MenuChoice label="Theme" value={theme} choices={themes} onChange={choose} />
        <MenuSeparator />
        <MenuItem icon={<CircleUser aria-hidden size={16} />} onSelect={() => void navigate('/profile')}>
          Profile
        </MenuItem>
        <MenuItem icon={<Settings aria-hidden size={16} />} onSelect={() => void navigate('/settings')}>
          Settings
        </MenuItem>
        <MenuItem
          icon={<Keyboard aria-hidden size={16} />}
          shortcut="?"
          onSelect={() => showOverlay('shortcuts')}
        >
          Keyboard shortcuts
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden size={16} />} onSelect={() => requestLeave(() => void signOut())}>
          Log out
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
