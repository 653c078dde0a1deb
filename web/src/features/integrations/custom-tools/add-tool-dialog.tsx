import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Minus, Plus } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { inputClass, TextField } from '../../../components/ui/field.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import { returnedFailure } from '../state/connection-error.ts'
import { emptyRow, emptyToolForm, toolConfig, withoutRow, type ToolForm } from './custom-tool-form.ts'
import { customToolsQuery } from '../catalogue/catalogue-queries.ts'
import { toolsChanged } from '../state/integrations-query.ts'

interface AddToolDialogProps {
  userId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A server may take its time to list its tools. */
const serverTimeoutMs = 30_000
const nameMissing = 'Tool name is required'
const notReached = 'The service could not be reached. Please try again.'

/** CUST-05 to CUST-11, CUST-16 to CUST-18: a tool server of one's own, tried before it is saved. */
export function AddToolDialog({ userId, open, onOpenChange }: AddToolDialogProps) {
  const formId = useId()
  const queryClient = useQueryClient()
  const [form, setForm] = useState(emptyToolForm)
  const [valuesShown, setValuesShown] = useState(false)
  const [nameError, setNameError] = useState<string>()
  const test = useMutation({
    mutationFn: (tool: ToolForm) =>
      callApi('customTools.test', { body: { config: toolConfig(tool) } }, { timeoutMs: serverTimeoutMs }),
  })
  const add = useMutation({
    mutationFn: (tool: ToolForm) =>
      callApi(
        'customTools.add',
        {
          body: {
            name: tool.name.trim(),
            description: tool.description.trim(),
            config: toolConfig(tool),
          },
        },
        { timeoutMs: serverTimeoutMs },
      ),
    onSuccess: (_answer, tool) => {
      showToast('success', 'Custom Tool Added', { description: `Successfully added ${tool.name.trim()}` })
      setForm(emptyToolForm())
      test.reset()
      onOpenChange(false)
    },
    // DEC-082: once, and the dialog stays open with its entries
    onError: (error) =>
      showToast('error', 'Failed to Add Tool', {
        description: returnedFailure(error, 'Please try again.') ?? notReached,
      }),
    onSettled: () => {
      toolsChanged(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })

  const change = (part: Partial<ToolForm>) => {
    setForm({ ...form, ...part })
    if (part.name !== undefined) setNameError(undefined)
    if (part.name === undefined && part.description === undefined) test.reset()
  }
  const changeRow = (id: string, part: { key?: string; value?: string }) =>
    change({ fields: form.fields.map((row) => (row.id === id ? { ...row, ...part } : row)) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending) return
    if (form.name.trim() === '') {
      setNameError(nameMissing)
      showToast('error', 'Validation Error', { description: nameMissing })
      return
    }
    add.mutate(form)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add Custom MCP Tool"
      footer={
        <>
          <Button
            className="sm:mr-auto"
            disabled={form.serverUrl.trim() === ''}
            busy={test.isPending}
            onClick={() => test.mutate(form)}
          >
            Test connection
          </Button>
          <Button tone="ghost" onClick={() => onOpenChange(false)} className="max-sm:hidden">
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="primary" busy={add.isPending}>
            Add tool
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={200}
          placeholder="Roast log"
          error={nameError}
          value={form.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label="Description"
          labelAside={<Optional />}
          autoComplete="off"
          maxLength={2_000}
          placeholder="Custom MCP Tool"
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <TextField
          label="Server URL"
          labelAside={<Optional />}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://mcp.example.com"
          value={form.serverUrl}
          onChange={(event) => change({ serverUrl: event.target.value })}
        />
        <PasswordField
          label="API key"
          labelAside={<Optional />}
          autoComplete="off"
          hint="Kept sealed. It is never shown again and never sent to the model."
          value={form.apiKey}
          onChange={(event) => change({ apiKey: event.target.value })}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 flex w-full justify-between font-medium">
            Custom fields
            <span className="flex items-baseline gap-3">
              <button
                type="button"
                onClick={() => setValuesShown(!valuesShown)}
                className="link text-sm font-normal"
              >
                {valuesShown ? 'Hide values' : 'Show values'}
              </button>
              <Optional />
            </span>
          </legend>
          {form.fields.map((row, index) => (
            <div key={row.id} className="grid grid-cols-[1fr_1fr_auto] items-center gap-2">
              <input
                aria-label={`Field ${index + 1} key`}
                placeholder="Key"
                autoComplete="off"
                spellCheck={false}
                value={row.key}
                onChange={(event) => changeRow(row.id, { key: event.target.value })}
                className={`${inputClass} h-11`}
              />
              <input
                aria-label={`Field ${index + 1} value`}
                placeholder="Value"
                // values are often keys
                type={valuesShown ? 'text' : 'password'}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                value={row.value}
                onChange={(event) => changeRow(row.id, { value: event.target.value })}
                className={`${inputClass} h-11`}
              />
              <IconButton
                label={`Remove field ${index + 1}`}
                tooltip={false}
                disabled={form.fields.length === 1}
                icon={<Minus size={16} />}
                onClick={() => change({ fields: withoutRow(form.fields, row.id) })}
              />
            </div>
          ))}
          <Button
            tone="ghost"
            size="sm"
            className="-ml-3 justify-self-start"
            onClick={() => change({ fields: [...form.fields, emptyRow()] })}
          >
            <Plus aria-hidden size={16} />
            Add field
          </Button>
        </fieldset>
        <TestResult test={test} />
      </form>
    </Dialog>
  )
}

interface Test {
  data: { server: string; tools: { name: string; description: string }[] } | undefined
  error: Error | null
}

function TestResult({ test: { data, error } }: { test: Test }) {
  if (error) return <Notice tone="danger">{returnedFailure(error, notReached) ?? notReached}</Notice>
  if (!data) return null
  const count = data.tools.length === 1 ? '1 tool' : `${data.tools.length} tools`
  return (
    <Notice tone="info">
      <span className="block font-medium text-ink">
        {data.server} answers with {count}
      </span>
      {data.tools.map(({ name, description }) => (
        <span key={name} className="block wrap-anywhere">
          <code className="font-mono text-xs text-ink">{name}</code>
          {description !== '' && ` ${description}`}
        </span>
      ))}
    </Notice>
  )
}

function Optional() {
  return <span className="text-sm font-normal text-ink-faint">Optional</span>
}
