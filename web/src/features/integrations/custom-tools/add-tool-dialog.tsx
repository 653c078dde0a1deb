import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Minus, Plus } from 'lucide-react'
import { Fragment, useId, useState, type FormEvent } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { inputClass, TextField } from '../../../components/ui/field.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/call-api.ts'
import { findErrorMessage } from '../state/connection-error.ts'
import { createRow, createToolForm, toToolConfig, removeRow, type ToolForm } from './custom-tool-form.ts'
import { customToolsQuery } from '../state/catalogue-queries.ts'
import { invalidateTools } from '../state/integrations-query.ts'
import { Optional } from '../connect/credential-fields.tsx'
import { bind } from '../../../lib/text-input.ts'
import { useInput, type Input } from '../../../lib/use-input.ts'

interface AddToolDialogProps {
  userId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Long, because servers may be slow to list their tools. */
const serverTimeoutMs = 30_000

/** Adds a tool server of the user, with an optional connection test. */
export function AddToolDialog({ userId, open, onOpenChange }: AddToolDialogProps) {
  const formId = useId()
  const queryClient = useQueryClient()
  const [empty] = useState(createToolForm)
  const input = useInput<ToolForm>('tool/new', { stored: empty })
  const form = input.value
  const [areValuesVisible, setAreValuesVisible] = useState(false)
  const [nameError, setNameError] = useState<string>()
  const test = useActionMutation('tool/test', {
    run: (tool: ToolForm) =>
      callApi('customTools.test', { body: { config: toToolConfig(tool) } }, { timeoutMs: serverTimeoutMs }),
  })
  const add = useActionMutation('tool/add', {
    run: ({ value: tool }: typeof input) =>
      callApi(
        'customTools.add',
        {
          body: {
            name: tool.name.trim(),
            description: tool.description.trim(),
            config: toToolConfig(tool),
          },
        },
        { timeoutMs: serverTimeoutMs },
      ),
    onSuccess: (_answer, added, { notify }) => {
      notify('success', t`Custom Tool Added`, {
        description: t`Successfully added ${{ name: added.value.name.trim() }}`,
      })
      // what was typed meanwhile is for the next tool
      added.markSaved(empty)
      test.reset()
      if (!added.isDirty) onOpenChange(false)
    },
    // the dialog stays open with its values
    onError: (error, _input, { notify }) =>
      notify('error', t`Failed to Add Tool`, {
        description: findErrorMessage(error, t`Please try again.`) ?? unreachable,
      }),
    onSettled: () => {
      invalidateTools(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })

  const resetTest = () => test.reset()
  const cancel = () => {
    input.reset()
    onOpenChange(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isBusy) return
    if (form.name.trim() === '') {
      setNameError(t`Tool name is required`)
      showToast('error', t`Validation Error`, { description: t`Tool name is required` })
      return
    }
    add.start(input)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      inputs={[input]}
      isBusy={add.isBusy}
      title={t`Add Custom MCP Tool`}
      footer={
        <>
          <Button
            className="sm:me-auto"
            disabled={form.serverUrl.trim() === ''}
            busy={test.isBusy}
            onClick={() => test.start(form)}
          >
            {t`Test connection`}
          </Button>
          <Button variant="ghost" onClick={cancel} className="max-sm:hidden">
            {t`Cancel`}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={add.isBusy}>
            {t`Add tool`}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label={t`Name`}
          autoComplete="off"
          maxLength={200}
          placeholder={t`Company wiki`}
          error={nameError}
          input={input.at('name')}
          onInput={() => setNameError(undefined)}
        />
        <TextField
          label={t`Description`}
          labelAside={<Optional />}
          autoComplete="off"
          maxLength={2_000}
          placeholder={t`Custom MCP Tool`}
          input={input.at('description')}
        />
        <TextField
          label={t`Server URL`}
          labelAside={<Optional />}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`https://mcp.example.com`}
          input={input.at('serverUrl')}
          onInput={resetTest}
        />
        <PasswordField
          isCredential
          label={t`API key`}
          labelAside={<Optional />}
          autoComplete="off"
          areSecretsVisible={areValuesVisible}
          hint={t`Stored encrypted. It is never shown again and never sent to the model.`}
          input={input.at('apiKey')}
          onInput={resetTest}
        />
        <CustomFields
          input={input}
          areValuesVisible={areValuesVisible}
          onToggleValues={() => setAreValuesVisible(!areValuesVisible)}
          onChange={resetTest}
        />
        <TestResult test={test} />
      </form>
    </Dialog>
  )
}

/** Names and values that are sent with each request to the server. */
function CustomFields({
  input,
  areValuesVisible,
  onToggleValues,
  onChange,
}: {
  input: Input<ToolForm>
  areValuesVisible: boolean
  onToggleValues: () => void
  onChange: () => void
}) {
  const { fields } = input.value
  const changeRows = (rows: ToolForm['fields']) => {
    input.change({ ...input.value, fields: rows })
    onChange()
  }
  const bindRow = (id: string, name: 'key' | 'value') =>
    bind(
      input.part(
        (tool) => tool.fields.find((row) => row.id === id)?.[name] ?? '',
        (tool, text) => ({
          ...tool,
          fields: tool.fields.map((row) => (row.id === id ? { ...row, [name]: text } : row)),
        }),
      ),
      { onInput: onChange },
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 flex w-full justify-between font-medium">
        {t`Custom fields`}
        <Optional />
      </legend>
      {/* in the document the buttons come after the fields: Tab leads from one field to the next */}
      <div className="grid grid-cols-[1fr_1fr_auto] items-center gap-2">
        {fields.map((row, index) => (
          <Fragment key={row.id}>
            <input
              aria-label={t`Field ${{ position: index + 1 }} key`}
              placeholder={t`Key`}
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'key')}
              style={{ gridRow: index + 1, gridColumn: 1 }}
              className={`${inputClass} h-11`}
            />
            <input
              aria-label={t`Field ${{ position: index + 1 }} value`}
              placeholder={t`Value`}
              // values are often secrets
              type={areValuesVisible ? 'text' : 'password'}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'value')}
              style={{ gridRow: index + 1, gridColumn: 2 }}
              className={`${inputClass} h-11`}
            />
          </Fragment>
        ))}
        {fields.map((row, index) => (
          <IconButton
            key={row.id}
            label={t`Remove field ${{ position: index + 1 }}`}
            tooltip={false}
            disabled={fields.length === 1}
            icon={<Minus size={16} />}
            onClick={() => changeRows(removeRow(fields, row.id))}
            style={{ gridRow: index + 1, gridColumn: 3 }}
          />
        ))}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Button
          variant="ghost"
          size="sm"
          className="-ms-3"
          onClick={() => changeRows([...fields, createRow()])}
        >
          <Plus aria-hidden size={16} />
          {t`Add field`}
        </Button>
        <button type="button" onClick={onToggleValues} className="link text-sm">
          {areValuesVisible ? t`Hide values` : t`Show values`}
        </button>
      </div>
    </fieldset>
  )
}

const unreachable = t`The service could not be reached. Please try again.`

function TestResult({
  test: { data, error },
}: {
  test: {
    data: { server: string; tools: { name: string; description: string }[] } | undefined
    error: Error | null
  }
}) {
  if (error) return <Callout variant="danger">{findErrorMessage(error, unreachable) ?? unreachable}</Callout>
  if (!data) return null
  return (
    <Callout variant="info">
      <span className="block font-medium text-ink">
        {plural(
          { tools: data.tools.length },
          { one: `${data.server} answers with # tool`, other: `${data.server} answers with # tools` },
        )}
      </span>
      {data.tools.map(({ name, description }) => (
        <span key={name} className="block wrap-anywhere">
          <code className="font-mono text-xs text-ink">{name}</code>
          {description !== '' && ` ${description}`}
        </span>
      ))}
    </Callout>
  )
}
