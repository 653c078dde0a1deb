import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { createActions } from '../../../lib/actions/actions.ts'
import { loadConfig } from '../../../lib/api/config.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import type { OAuthValues } from '../oauth/oauth-flow.ts'
import type { ConnectFailure } from './report-connection-error.ts'
import { SetupDialog } from './setup-dialog.tsx'
import { anEntry } from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

type Connect = (
  card: CatalogueCard,
  credentials: Record<string, string>,
  parameters: Record<string, string>,
) => Promise<ConnectFailure | undefined>
type Start = (card: CatalogueCard, values: OAuthValues) => Promise<ConnectFailure | undefined>
const onConnect = vi.fn<Connect>()
const onStartOAuth = vi.fn<Start>()
const onOpenChange = vi.fn<(open: boolean) => void>()
const writeText = vi.fn<(text: string) => Promise<void>>()

const slack = anEntry({
  config: { ...anEntry().config, required_credentials: ['SLACK_TEAM_ID'] },
})
const toCard = (entry = slack, environment: CatalogueCard['environment'] = 'production'): CatalogueCard => ({
  id: environment === 'sandbox' ? `${entry.id}-sandbox` : entry.id,
  entry,
  isAllowed: true,
  environment,
  connection: undefined,
})

let client: QueryClient
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)

function open(card = toCard()) {
  render(<SetupDialog {...{ card, open: true, onOpenChange, onConnect, onStartOAuth }} />, { wrapper })
  return within(screen.getByRole('dialog'))
}

const demoConfig = {
  region: 'eu-central-1',
  userPoolId: 'p',
  userPoolClientId: 'c',
  assistantName: 'Juno',
  brandName: 'Juno',
  signUp: 'open',
  demo: { model: false, providers: true },
  version: '1.0.0',
}

beforeEach(() => {
  client = new QueryClient()
  for (const mock of [onConnect, onStartOAuth, onOpenChange, writeText, vi.mocked(showToast)])
    mock.mockReset()
  writeText.mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the setup dialog', () => {
  it('SETUP-02 SETUP-03 shows the name, the icon and the environment', () => {
    const dialog = open()
    expect(dialog.getByRole('heading', { name: 'Setup Slack' })).toBeTruthy()
    expect(dialog.getByText('SL')).toBeTruthy()
    expect(dialog.getByText('Live')).toBeTruthy()
    expect(dialog.queryByText('Sandbox')).toBeNull()
  })

  it.each([
    ['SETUP-04', 'Setup Portal', 'https://api.slack.com/apps'],
    ['SETUP-05', 'Docs', 'https://docs.slack.dev/authentication/installing-with-oauth'],
  ])('%s %s links to the provider’s page in a new tab', (_, name, address) => {
    const [link] = open().getAllByRole('link', { name })
    expect(link?.getAttribute('href')).toBe(address)
    expect([link?.getAttribute('target'), link?.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('SETUP-01 SETUP-13 SETUP-16 says that the user is redirected to the provider, and shows the redirect URL', () => {
    const dialog = open()
    expect(dialog.getByLabelText(/Client ID/)).toBeTruthy()
    expect(dialog.getByText(`${location.origin}/oauth/callback`)).toBeTruthy()
    expect(dialog.getByText("You'll be redirected to complete authentication")).toBeTruthy()
  })

  const openSteps = () => {
    const dialog = open()
    return { dialog, steps: dialog.getAllByRole('listitem').filter((item) => item.closest('ol')) }
  }

  it('SETUP-06 SETUP-35 numbers the steps, with one for each required credential', () => {
    const { dialog, steps } = openSteps()
    expect(dialog.getByRole('heading', { name: 'Setup Steps' })).toBeTruthy()
    expect(steps.map((step) => step.querySelector('span')?.textContent)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
    expect(steps[3]?.textContent).toContain('SLACK_TEAM_ID')
  })

  it('SETUP-07 SETUP-08 a step has a text, a description, and a link if there is one', () => {
    const [step = document.body] = openSteps().steps
    expect([...step.querySelectorAll('p')].filter(({ textContent }) => textContent)).toHaveLength(2)
    const link = within(step).getByRole('link', { name: 'Open your apps' })
    expect(link.getAttribute('href')).toBe('https://api.slack.com/apps')
  })

  it('SETUP-10 SETUP-11 the last step has the field for the Client ID', () => {
    const { steps } = openSteps()
    const field = within(steps.at(-1) ?? document.body).getByLabelText('Paste your Slack Client ID:')
    expect(field.tagName).toBe('INPUT')
    expect(field.getAttribute('placeholder')).toBe('Enter Slack Client ID')
  })

  it('SETUP-36 DEC-104 copies a value and shows a toast', async () => {
    fireEvent.click(open().getByRole('button', { name: 'Copy Redirect URL' }))
    await waitFor(() =>
      expect(showToast).toHaveBeenCalledWith('success', 'Copied!', {
        description: 'Redirect URL copied to clipboard',
      }),
    )
    expect(writeText).toHaveBeenCalledWith(`${location.origin}/oauth/callback`)
  })

  it('SETUP-09 LIM-07 the copy button shows Copied for 2 s', async () => {
    vi.useFakeTimers()
    const dialog = open()
    fireEvent.click(dialog.getByRole('button', { name: 'Copy Redirect URL' }))
    await act(async () => {})
    expect(dialog.getByRole('button', { name: 'Copied Redirect URL' }).textContent).toBe('Copied')
    act(() => void vi.advanceTimersByTime(1999))
    expect(dialog.getByText('Copied')).toBeTruthy()
    act(() => void vi.advanceTimersByTime(1))
    expect(dialog.queryByText('Copied')).toBeNull()
  })

  it('SETUP-37 says when copying failed', async () => {
    writeText.mockRejectedValue(new Error('no'))
    const dialog = open()
    fireEvent.click(dialog.getByRole('button', { name: 'Copy Redirect URL' }))
    await waitFor(() =>
      expect(showToast).toHaveBeenCalledWith('error', 'Copy failed', {
        description: 'Please copy the text manually',
        cause: expect.any(Error) as unknown,
      }),
    )
  })

  it('SETUP-12 lists the required credentials in a box, each with a copy button', async () => {
    const box = within(
      open().getByRole('heading', { name: 'Required Credentials' }).parentElement ?? document.body,
    )
    expect(box.getByText('SLACK_TEAM_ID')).toBeTruthy()
    fireEvent.click(box.getByRole('button', { name: 'Copy SLACK_TEAM_ID' }))
    expect(await box.findByText('Copied')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('SLACK_TEAM_ID')
  })

  function openForOAuth() {
    const start = Promise.withResolvers<undefined>()
    onStartOAuth.mockReturnValue(start.promise)
    const dialog = open()
    const getButton = () => dialog.getByRole<HTMLButtonElement>('button', { name: /^Connect/ })
    const field = dialog.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
    return { dialog, getButton, field, start }
  }

  it('says that an administrator can register one app for all users, where a Client ID is needed', () => {
    const hint = /An administrator can register an app at Slack once for all users/
    expect(open().getByText(hint)).toBeTruthy()
    cleanup()
    expect(open(toCard({ ...slack, preconfigured: true })).queryByText(hint)).toBeNull()
  })

  it('SETUP-14 SETUP-18 cannot connect without a Client ID', () => {
    const { getButton, field } = openForOAuth()
    expect(getButton().textContent).toBe('Connect to Slack Live')
    expect(getButton().getAttribute('aria-disabled')).toBe('true')
    fireEvent.change(field, { target: { value: '  ' } })
    expect(getButton().getAttribute('aria-disabled')).toBe('true')
    fireEvent.change(field, { target: { value: '12.34' } })
    expect(getButton().getAttribute('aria-disabled')).toBeNull()
  })

  it('SETUP-15 SETUP-19 SETUP-21 is busy while the sign-in starts', () => {
    const { getButton, field, start } = openForOAuth()
    const { start: run } = getUserResource(client, createActions)
    onStartOAuth.mockImplementation(async () => run('connection slack', () => start.promise, 'connecting'))
    fireEvent.change(field, { target: { value: '12.34' } })
    fireEvent.click(getButton())
    expect(getButton().textContent).toBe('Connecting to Live...')
    expect(getButton().disabled).toBe(true)
    // also when it is closed and opened again
    cleanup()
    const again = open().getByRole('button', { name: 'Connecting to Live...' })
    expect(again).toHaveProperty('disabled', true)
    expect(onStartOAuth).toHaveBeenCalledWith(toCard(), expect.objectContaining({ clientId: '12.34' }))
  })

  it('cannot connect while something else is done with the connection, which would drop what was entered', async () => {
    const { getButton, field } = openForOAuth()
    fireEvent.change(field, { target: { value: '12.34' } })
    const refreshing = Promise.withResolvers<void>()
    const { start } = getUserResource(client, createActions)
    act(() => void start('connection slack', () => refreshing.promise, 'refreshing'))
    expect(getButton().disabled).toBe(true)
    expect(getButton().textContent).toBe('Connect to Slack Live')
    fireEvent.submit(field)
    expect([onStartOAuth.mock.calls, onOpenChange.mock.calls, field.value]).toEqual([[], [], '12.34'])
    await act(async () => refreshing.resolve())
    expect(getButton().disabled).toBe(false)
  })

  it('SETUP-23 DEC-090 passes on an optional secret, closes, and clears the fields', async () => {
    const { dialog, getButton, field, start } = openForOAuth()
    fireEvent.change(field, { target: { value: '12.34' } })
    fireEvent.change(dialog.getByLabelText('Client Secret'), { target: { value: 'hush' } })
    fireEvent.click(getButton())
    expect(onStartOAuth.mock.calls[0]?.[1]).toMatchObject({ clientSecret: 'hush' })
    expect(onOpenChange).not.toHaveBeenCalled()
    await act(async () => start.resolve(undefined))
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(field.value).toBe('')
  })

  it('SETUP-17 SETUP-20 DEC-145 says below the field that the Client ID is required, until something is entered', () => {
    const dialog = open()
    const field = dialog.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
    fireEvent.change(field, { target: { value: '  ' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' }))
    expect(field.getAttribute('aria-describedby')).toBe(
      dialog.getByText('Client ID is required to continue').id,
    )
    expect(document.activeElement).toBe(field)
    expect(onStartOAuth).not.toHaveBeenCalled()
    fireEvent.change(field, { target: { value: '1' } })
    expect(dialog.queryByText('Client ID is required to continue')).toBeNull()
  })

  it('DEC-119 says why the last attempt failed, and keeps its values', async () => {
    onStartOAuth.mockResolvedValue(undefined)
    const values = { clientId: '12.34', clientSecret: 'hush', parameters: {} }
    const failedAttempt = { message: 'You declined the access.', values }
    render(
      <SetupDialog
        {...{ card: toCard(), open: true, failedAttempt, onOpenChange, onConnect, onStartOAuth }}
      />,
      { wrapper },
    )
    expect(screen.getByRole('alert').textContent).toBe('You declined the access.')
    expect(screen.getByText('Step 6 of 6')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Connect to Slack Live' }))
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
    expect(onStartOAuth).toHaveBeenCalledWith(toCard(), values)
  })

  it('SETUP-24 shows the error in the dialog, and keeps the entered values', async () => {
    onStartOAuth.mockResolvedValue({ message: 'No authorization URL received' })
    const dialog = open()
    const field = dialog.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
    fireEvent.change(field, { target: { value: '12.34' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' }))
    expect(await dialog.findByText('No authorization URL received')).toBeTruthy()
    expect(onOpenChange).not.toHaveBeenCalled()
    expect(field.value).toBe('12.34')
  })

  it('has what was typed when it is opened again, after its page was left', () => {
    const typed = { target: { value: '12.34' } }
    fireEvent.change(open().getByLabelText('Paste your Slack Client ID:'), typed)
    cleanup()
    const field = open().getByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
    expect(field.value).toBe('12.34')
  })

  it('SETUP-31 DEC-056 DEC-058 asks for a key if the integration uses keys, also for a sandbox', async () => {
    onConnect.mockResolvedValue(undefined)
    const stripe = anEntry({
      id: 'stripe',
      name: 'Stripe',
      provider: 'Stripe',
      auth_type: 'api_key',
      credential_fields: [
        { name: 'secretKey', label: 'Secret key', secret: true, placeholder: 'sk_test_...' },
      ],
    })
    const dialog = open(toCard(stripe, 'sandbox'))
    expect(dialog.getByText('Sandbox')).toBeTruthy()
    expect(dialog.queryByText(/redirected/)).toBeNull()
    expect(dialog.queryByLabelText(/Client ID/)).toBeNull()
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Stripe Sandbox' }))
    expect(dialog.getByText('Secret key is required to continue')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Secret key'))
    fireEvent.change(dialog.getByLabelText('Secret key'), { target: { value: ' sk_test_1 ' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Stripe Sandbox' }))
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
    expect(onConnect).toHaveBeenCalledWith(toCard(stripe, 'sandbox'), { secretKey: 'sk_test_1' }, {})
  })

  it('DEC-056 SETUP-35 labels the fields with the required credentials, and has a step to copy each', () => {
    const keyEntry = { id: 'acme', name: 'Acme', provider: 'Acme', auth_type: 'api_key' as const }
    open(
      toCard(anEntry({ ...keyEntry, config: { ...anEntry().config, required_credentials: ['ACME_TOKEN'] } })),
    )
    expect(screen.getByLabelText('ACME_TOKEN')).toBeTruthy()
    const [step = document.body] = screen.getAllByRole('listitem').filter((item) => item.closest('ol'))
    expect(within(step).getByText('Have ACME_TOKEN ready')).toBeTruthy()
    expect(within(step).getByRole('button', { name: 'Copy ACME_TOKEN' })).toBeTruthy()
  })

  it('connects a server with an unknown sign-in type without a key too', async () => {
    onConnect.mockResolvedValue(undefined)
    const remote = anEntry({ id: 'remote', name: 'Remote', provider: 'r', auth_type: 'unknown' })
    const dialog = open(toCard(remote))
    expect(dialog.getByLabelText('API key')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Show value' })).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Remote Live' }))
    await waitFor(() => expect(onConnect).toHaveBeenCalledWith(toCard(remote), {}, {}))
  })

  it('asks for a key whose name every object inherits', () => {
    const named = anEntry({ id: 'named', name: 'Named', provider: 'n', auth_type: 'api_key' })
    named.config = { ...named.config, required_credentials: ['constructor'] }
    const dialog = open(toCard(named))
    fireEvent.click(dialog.getByRole('button', { name: 'Connect to Named Live' }))
    expect(dialog.getByText(/ is required to continue$/)).toBeTruthy()
    expect(onConnect).not.toHaveBeenCalled()
  })

  it('asks for the tenant if the provider’s address depends on it', async () => {
    onStartOAuth.mockResolvedValue(undefined)
    const shopify = anEntry({
      id: 'shopify',
      name: 'Shopify',
      provider: 'Shopify',
      preconfigured: true,
      address_parameters: [{ name: 'shop', label: 'Shop', optional: false, example: 'my-shop' }],
    })
    const dialog = open(toCard(shopify))
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Connect to Shopify Live' })
    fireEvent.click(button)
    expect(dialog.getByText('Shop is required to continue')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Shop'))
    expect(onStartOAuth).not.toHaveBeenCalled()
    fireEvent.change(dialog.getByLabelText('Shop'), { target: { value: 'beans' } })
    fireEvent.click(button)
    await waitFor(() =>
      expect(onStartOAuth).toHaveBeenCalledWith(toCard(shopify), {
        clientId: '',
        clientSecret: '',
        parameters: { shop: 'beans' },
      }),
    )
  })

  it('UX-20 shows one step at a time on a phone', () => {
    const dialog = open()
    expect(dialog.getByText('Step 1 of 6')).toBeTruthy()
    for (let step = 1; step < 6; step += 1) fireEvent.click(dialog.getByRole('button', { name: 'Next' }))
    expect(dialog.getByText('Step 6 of 6')).toBeTruthy()
    expect(dialog.queryByRole('button', { name: 'Next' })).toBeNull()
    fireEvent.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByText('Step 5 of 6')).toBeTruthy()
  })

  // the last one: the page loads its configuration once
  it('says that any Client ID works while the providers are simulated, except for servers of the registry, and on a phone shows the step with the field', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(demoConfig)))
    await loadConfig()
    const hint = 'Slack is simulated on this computer: any Client ID works.'
    const dialog = open()
    expect(dialog.getByText(hint)).toBeTruthy()
    expect(dialog.getByText('Step 6 of 6')).toBeTruthy()
    cleanup()
    expect(open(toCard({ ...slack, namespace: 'com.example' })).queryByText(hint)).toBeNull()
  })
})
