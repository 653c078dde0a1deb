import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { anEntry } from '../../../test/support/connections.ts'
import { renderPage } from '../../../test/support/render-page.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { DeleteAccountDialog } from '../features/account/delete-account-dialog.tsx'
import { BackupCodesDialog } from '../features/account/two-factor/backup-codes.tsx'
import { FactorChangeDialog } from '../features/account/two-factor/factor-change-dialog.tsx'
import { SetupWizard } from '../features/account/two-factor/setup-wizard.tsx'
import { GroupDialog } from '../features/admin/groups/group-dialog.tsx'
import { ChangeGroupsDialog } from '../features/admin/users/change-groups-dialog.tsx'
import { DeleteUserDialog } from '../features/admin/users/delete-user-dialog.tsx'
import { SignInAgainDialog } from '../features/auth/sign-in-again-dialog.tsx'
import { DriveDialog } from '../features/chat/attachments/drive-dialog.tsx'
import { ShareDialog } from '../features/history/share-dialog.tsx'
import { SetupDialog } from '../features/integrations/connect/setup-dialog.tsx'
import { AddToolDialog } from '../features/integrations/custom-tools/add-tool-dialog.tsx'
import { CustomToolsDialog } from '../features/integrations/custom-tools/custom-tools-dialog.tsx'
import { DeleteProjectDialog } from '../features/projects/delete-project-dialog.tsx'
import { MoveConversationDialog } from '../features/projects/move-conversation-dialog.tsx'
import { NewProjectDialog } from '../features/projects/new-project-dialog.tsx'
import { ActionDialog } from '../components/action-dialog.tsx'
import { ApiError, NetworkError } from '../lib/api/api-errors.ts'
import { LeaveDialog } from '../components/leave-dialog.tsx'
import { isLeaveGuarded } from '../lib/input/leave-guard.ts'
import { PromptDialog } from '../components/prompt-dialog.tsx'

const noop = () => undefined
const createdAt = '2026-11-27T10:00:00.000Z'
const frame = { open: true, onClose: noop, onOpenChange: noop, onCancel: noop, onDone: noop }
const person = { sub: 'u1', email: 'mika@roastery.example', fullName: 'Mika' }
const conversation = {
  id: 's1',
  user_id: 'u1',
  title: 'Roast',
  created_at: createdAt,
  updated_at: createdAt,
  message_count: 2,
}
const project = {
  id: 'p1',
  name: 'Beans',
  instructions: '',
  files: [],
  created_at: createdAt,
  updated_at: createdAt,
}
const user = {
  id: 'u2',
  email: 'ann@roastery.example',
  status: 'confirmed',
  enabled: true,
  groups: [],
  created_at: createdAt,
} as never
const change = {
  ...frame,
  title: 'Disable',
  consequence: 'Less safe',
  action: 'Disable',
  isDestructive: true,
  busy: false,
  codeError: undefined,
  onConfirm: noop,
}
const setup = { onConnect: async () => undefined, onStartOAuth: async () => undefined }

/** The dialogs with fields, or with a content of their own: the file, the dialog, and what has the focus when it is open. */
const dialogs: Record<string, { dialog: ReactElement; focused: string }> = {
  'action-dialog.tsx': {
    dialog: (
      <ActionDialog {...frame} title="Delete?" confirmLabel="Delete" onConfirm={async () => undefined}>
        <p>For good.</p>
      </ActionDialog>
    ),
    focused: 'Cancel',
  },
  'leave-dialog.tsx': {
    dialog: (
      <LeaveDialog
        guard={{ isAsking: true, leave: noop, stay: noop }}
        title="Leave?"
        leaveLabel="Leave"
        stayLabel="Stay"
      >
        It is lost.
      </LeaveDialog>
    ),
    focused: 'Stay',
  },
  'prompt-dialog.tsx': {
    dialog: <PromptDialog prompt={{}} projectId={undefined} onClose={noop} onSaved={noop} />,
    focused: 'Name',
  },
  'shortcuts-dialog.tsx': { dialog: <ShortcutsDialog onClose={noop} />, focused: 'Keyboard shortcuts' },
  'change-groups-dialog.tsx': {
    dialog: <ChangeGroupsDialog {...frame} user={user} isOwn={false} />,
    focused: 'staff',
  },
  'delete-user-dialog.tsx': {
    dialog: <DeleteUserDialog {...frame} user={user} />,
    focused: 'Type ann@roastery.example to confirm',
  },
  'group-dialog.tsx': { dialog: <GroupDialog {...frame} group={undefined} />, focused: 'Name' },
  'new-project-dialog.tsx': { dialog: <NewProjectDialog {...frame} onCreated={noop} />, focused: 'Name' },
  'move-conversation-dialog.tsx': {
    dialog: <MoveConversationDialog {...frame} conversation={conversation} findFocusTarget={() => null} />,
    focused: 'Project',
  },
  'delete-project-dialog.tsx': {
    dialog: <DeleteProjectDialog {...frame} project={project} />,
    focused: 'Keep them, without a project',
  },
  'share-dialog.tsx': {
    dialog: <ShareDialog {...frame} conversation={conversation} findFocusTarget={() => null} />,
    focused: 'Anyone with the link',
  },
  'sign-in-again-dialog.tsx': { dialog: <SignInAgainDialog {...frame} user={person} />, focused: 'Password' },
  'delete-account-dialog.tsx': {
    dialog: <DeleteAccountDialog {...frame} email={person.email} isAdmin={false} storedData={undefined} />,
    focused: 'Type DELETE to confirm',
  },
  'factor-change-dialog.tsx': {
    dialog: <FactorChangeDialog {...change} needsCode={false} />,
    focused: 'Cancel',
  },
  'factor-change-dialog.tsx with a code': {
    dialog: <FactorChangeDialog {...change} needsCode />,
    focused: 'Verification code',
  },
  'backup-codes.tsx': {
    dialog: <BackupCodesDialog codes={['AAAA111111']} onDone={noop} />,
    focused: 'Save your new backup codes',
  },
  'setup-wizard.tsx': { dialog: <SetupWizard {...frame} onEnabled={noop} />, focused: 'Verification code' },
  'drive-dialog.tsx': {
    dialog: <DriveDialog onFiles={() => true} onClose={noop} />,
    focused: 'Search your Drive',
  },
  'setup-dialog.tsx': {
    dialog: (
      <SetupDialog
        {...{
          ...frame,
          ...setup,
          card: {
            id: 'slack',
            entry: anEntry(),
            isAllowed: true,
            environment: 'production',
            connection: undefined,
          },
        }}
      />
    ),
    focused: 'Client ID',
  },
  'add-tool-dialog.tsx': { dialog: <AddToolDialog {...frame} userId="u1" />, focused: 'Name' },
  'custom-tools-dialog.tsx': {
    dialog: <CustomToolsDialog {...frame} userId="u1" />,
    focused: 'Custom Tools',
  },
}

/** Dialogs that only ask, or only show: `ActionDialog` and `LeaveDialog` above stand for them. */
const withoutFields = [
  'print-dialog.tsx',
  'assistants-section.tsx',
  'publish-page.tsx',
  'user-actions.tsx',
  'invitations-section.tsx',
  'site-section.tsx',
  'groups-section.tsx',
  'provider-sign-in-dialog.tsx',
  'activity-card.tsx',
  'delete-conversations-dialog.tsx',
  'unsaved-dialog.tsx',
  'shared-links-card.tsx',
  'access-list.tsx',
  'security-card.tsx',
  'memory-list.tsx',
  'delete-file-dialog.tsx',
  'delete-message-dialog.tsx',
  'leave-chat-dialog.tsx',
  'integrations-page.tsx',
  'undo-import-dialog.tsx',
  'schedules-page.tsx',
  // its panel takes the focus
  'preview-panel.tsx',
]

const nameOf = (element: Element | null) =>
  element?.getAttribute('aria-label') ??
  (element?.getAttribute('aria-labelledby') &&
    document.getElementById(element.getAttribute('aria-labelledby')!)?.textContent) ??
  (element as HTMLInputElement | null)?.labels?.[0]?.textContent ??
  element?.textContent

/** The service as the dialogs need it. */
const serve = () =>
  fakeApi({
    'prompts.list': () => ({ prompts: [] }),
    'account.read': () => ({
      profile: { display_name: 'Mika', avatar_id: null },
      settings: { keep_conversations: true, store_uploads: true, theme: null },
    }),
    'shares.list': () => ({ shares: [] }),
    'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
    'projects.list': () => ({ projects: [{ ...project, conversations: 1 }] as never }),
    'admin.groups': () => ({
      groups: [{ name: 'staff', description: '', limits: {}, version: 1, members: 0 }] as never,
    }),
    'customTools.list': () => ({ tools: [] }),
    'drive.list': () => ({ files: [], more: false }),
    'mfa.setup': () => ({ success: true, qrCodeUrl: 'otpauth://totp/x?secret=ABCD', backupCodes: [] }),
  })

/** Opens a dialog, and waits until it has what it loads. */
async function openDialog(file: string) {
  const { dialog, focused } = dialogs[file]!
  serve()
  renderPage(dialog)
  await waitFor(() => expect(nameOf(document.activeElement)).toContain(focused))
}

it.each(Object.keys(dialogs))('%s opens with the focus where one begins', async (file) => {
  await openDialog(file)
  // Enter submits what is entered: the first button of the form is no other one
  const { form } = document.activeElement as HTMLInputElement
  const hasSubmit = form && [...form.elements].some((one) => (one as HTMLButtonElement).type === 'submit')
  const isField = document.activeElement instanceof HTMLInputElement && file !== 'drive-dialog.tsx'
  expect(isField && !hasSubmit).toBe(false)
})

/** Dialogs with fields of which nothing is lost that is hard to enter again: a code, a password, a confirmation, a search, one choice. */
const withoutQuestion = new Set([
  'delete-user-dialog.tsx',
  'move-conversation-dialog.tsx',
  'delete-project-dialog.tsx',
  'share-dialog.tsx',
  'sign-in-again-dialog.tsx',
  'delete-account-dialog.tsx',
  'factor-change-dialog.tsx with a code',
  'setup-wizard.tsx',
  'drive-dialog.tsx',
])

it.each(Object.keys(dialogs).filter((file) => !withoutQuestion.has(file)))(
  '%s asks before anything is lost that was entered in it',
  async (file) => {
    const listFields = () => [
      ...screen
        .getByRole('dialog')
        .querySelectorAll<HTMLInputElement>(':is(input, textarea):not([readonly], :disabled, [type=file])'),
    ]
    await openDialog(file)
    const count = listFields().length
    for (let index = 0; index < count; index += 1) {
      cleanup()
      await openDialog(file)
      expect(isLeaveGuarded()).toBe(false)
      const field = listFields()[index]!
      if (field.type === 'checkbox' || field.type === 'radio') fireEvent.click(field)
      else fireEvent.change(field, { target: { value: '7' } })
      expect([nameOf(field), isLeaveGuarded()]).toEqual([nameOf(field), true])
      fireEvent.keyDown(field, { key: 'Escape' })
      expect(screen.getByText('Your changes are not saved yet.')).toBeTruthy()
      act(() => screen.getByRole('button', { name: 'Discard changes' }).click())
    }
  },
)

it('knows every dialog of the page', () => {
  const files = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const sources = Object.entries(files).map(([file, text]) => [file.split('/').at(-1)!, text] as const)
  const found = sources.filter(([, text]) => /<(?:Action|Leave)?Dialog\b/.test(text)).map(([name]) => name)
  expect(found.toSorted()).toEqual(
    [
      ...new Set([...Object.keys(dialogs).map((key) => String(key.split(' ')[0])), ...withoutFields]),
    ].toSorted(),
  )
  const withRadix = sources.filter(([, text]) => /Dialog\b.*from 'radix-ui'/.test(text)).map(([name]) => name)
  // a picture, a search, which focuses its field, and a panel
  expect(withRadix.toSorted()).toEqual([
    'dialog.tsx',
    'image-viewer.tsx',
    'search-dialog.tsx',
    'side-panel.tsx',
  ])
})

it('leaves the field to a tap on a touch screen, whose keyboard would cover what the dialog says', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: noop, removeEventListener: noop }))
  fakeApi({})
  renderPage(dialogs['delete-account-dialog.tsx']!.dialog)
  await waitFor(() => expect(nameOf(document.activeElement)).toBe('Cancel'))
})

it.each([
  ['backup-codes.tsx', false],
  ['shortcuts-dialog.tsx', true],
])('%s: Escape and a press outside close it: %s', async (file, closes) => {
  const onClose = vi.fn<() => void>()
  fakeApi({})
  renderPage(
    file === 'backup-codes.tsx' ? (
      <BackupCodesDialog codes={['AAAA111111']} onDone={onClose} />
    ) : (
      <ShortcutsDialog onClose={onClose} />
    ),
  )
  const dialog = screen.getByRole('dialog')
  // the dialog listens to presses outside from the next task on
  await act(async () => new Promise<void>((resolve) => void setTimeout(resolve)))
  fireEvent.pointerDown(dialog.parentElement!)
  fireEvent.click(dialog.parentElement!)
  fireEvent.keyDown(dialog, { key: 'Escape' })
  expect(onClose.mock.calls.length > 0).toBe(closes)
})

it('a project whose deletion lost its response is deleted for the second attempt', async () => {
  let isDeleted = false
  fakeApi({
    'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
    'projects.delete': () => {
      if (isDeleted) throw new ApiError({ status: 404, code: 'project_not_found', userMessage: 'Gone.' })
      isDeleted = true
      throw new NetworkError()
    },
  })
  renderPage(<DeleteProjectDialog project={project} onClose={noop} />)
  const confirm = () => fireEvent.click(screen.getByRole('button', { name: 'Delete project' }))
  confirm()
  await screen.findByText(/did not confirm it/)
  confirm()
  expect(await screen.findByText('main screen')).toBeDefined()
})
