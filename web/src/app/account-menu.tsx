import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
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
import type { SignedInUser } from '../lib/auth-session.ts'
import { displayName, initials } from '../lib/initials.ts'
import { chooseTheme, useTheme, type Theme } from '../lib/theme.ts'
import { AccountButton } from './account-button.tsx'
import { showOverlay } from './overlays.ts'

const themes: readonly { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden size={16} /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden size={16} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden size={16} /> },
]

/** Who is signed in, the theme, and the way out (MENU-01 to MENU-03, MENU-06, LIB-20). */
export function AccountMenu({
  user,
  open,
  onOpenChange,
}: {
  user: SignedInUser
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { signOut } = useAuth()
  const theme = useTheme()
  const name = displayName(user.fullName, user.email)
  return (
    <Menu open={open} onOpenChange={onOpenChange}>
      <MenuTrigger asChild>
        <AccountButton user={user} />
      </MenuTrigger>
      <MenuContent className="max-w-80">
        <div className="flex items-center gap-2.5 px-2.5 pt-1.5 pb-2">
          <Avatar initials={initials(user.fullName, user.email)} />
          <div className="min-w-0">
            <p className="truncate font-medium" title={name}>
              {name}
            </p>
            <p className="truncate text-sm text-ink-muted" title={user.email}>
              {user.email}
            </p>
          </div>
        </div>
        <MenuChoice label="Theme" value={theme} choices={themes} onChange={chooseTheme} />
        <MenuSeparator />
        <MenuItem
          icon={<Keyboard aria-hidden size={16} />}
          shortcut="?"
          onSelect={() => showOverlay('shortcuts')}
        >
          Keyboard shortcuts
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden size={16} />} onSelect={() => void signOut()}>
          Log out
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
