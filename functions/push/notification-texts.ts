import { languageDirections, type Language } from '#shared/languages.ts'

/** What the user is told about a conversation. */
export type NotificationKind = 'waiting' | 'ended' | 'failed'

/** The sentences of notifications and their mails. `{brand}` is the name of the product, `{title}` that of the conversation. */
interface NotificationTexts extends Record<
  NotificationKind,
  { body: string; subject: string; opening: string }
> {
  /** on the button */
  action: string
  closing: string
}

export const notificationTexts: Readonly<Record<Language, NotificationTexts>> = {
  en: {
    waiting: {
      body: 'Waiting for you',
      subject: 'Waiting for you: {title}',
      opening: 'The conversation “{title}” is waiting for you in {brand}. It goes on when you have decided.',
    },
    ended: {
      body: 'The reply is ready',
      subject: 'Reply ready: {title}',
      opening: 'The reply in the conversation “{title}” is ready in {brand}.',
    },
    failed: {
      body: 'The reply could not be finished',
      subject: 'Reply not finished: {title}',
      opening: 'The reply in the conversation “{title}” could not be finished in {brand}.',
    },
    action: 'Open the conversation',
    closing: 'You can switch these mails off in the settings, under Notifications.',
  },
  de: {
    waiting: {
      body: 'Wartet auf Sie',
      subject: 'Wartet auf Sie: {title}',
      opening:
        'Die Unterhaltung „{title}“ wartet in {brand} auf Sie. Sie geht weiter, sobald Sie entschieden haben.',
    },
    ended: {
      body: 'Die Antwort ist fertig',
      subject: 'Antwort fertig: {title}',
      opening: 'Die Antwort in der Unterhaltung „{title}“ ist in {brand} fertig.',
    },
    failed: {
      body: 'Die Antwort konnte nicht abgeschlossen werden',
      subject: 'Antwort nicht abgeschlossen: {title}',
      opening: 'Die Antwort in der Unterhaltung „{title}“ konnte in {brand} nicht abgeschlossen werden.',
    },
    action: 'Unterhaltung öffnen',
    closing: 'Sie können diese E-Mails in den Einstellungen unter „Benachrichtigungen“ ausschalten.',
  },
  fr: {
    waiting: {
      body: 'En attente de votre décision',
      subject: 'En attente de votre décision : {title}',
      opening:
        'La conversation « {title} » vous attend dans {brand}. Elle reprendra dès que vous aurez décidé.',
    },
    ended: {
      body: 'La réponse est prête',
      subject: 'Réponse prête : {title}',
      opening: 'La réponse de la conversation « {title} » est prête dans {brand}.',
    },
    failed: {
      body: 'La réponse n’a pas pu être terminée',
      subject: 'Réponse inachevée : {title}',
      opening: 'La réponse de la conversation « {title} » n’a pas pu être terminée dans {brand}.',
    },
    action: 'Ouvrir la conversation',
    closing: 'Vous pouvez désactiver ces e-mails dans les paramètres, sous « Notifications ».',
  },
  es: {
    waiting: {
      body: 'Esperando su decisión',
      subject: 'Esperando su decisión: {title}',
      opening: 'La conversación «{title}» le espera en {brand}. Continuará cuando usted haya decidido.',
    },
    ended: {
      body: 'La respuesta está lista',
      subject: 'Respuesta lista: {title}',
      opening: 'La respuesta de la conversación «{title}» está lista en {brand}.',
    },
    failed: {
      body: 'No se pudo terminar la respuesta',
      subject: 'Respuesta sin terminar: {title}',
      opening: 'No se pudo terminar la respuesta de la conversación «{title}» en {brand}.',
    },
    action: 'Abrir la conversación',
    closing: 'Puede desactivar estos correos en los ajustes, en «Notificaciones».',
  },
  'pt-BR': {
    waiting: {
      body: 'Aguardando você',
      subject: 'Aguardando você: {title}',
      opening: 'A conversa “{title}” aguarda você em {brand}. Ela continua assim que você decidir.',
    },
    ended: {
      body: 'A resposta está pronta',
      subject: 'Resposta pronta: {title}',
      opening: 'A resposta da conversa “{title}” está pronta em {brand}.',
    },
    failed: {
      body: 'Não foi possível concluir a resposta',
      subject: 'Resposta não concluída: {title}',
      opening: 'Não foi possível concluir a resposta da conversa “{title}” em {brand}.',
    },
    action: 'Abrir a conversa',
    closing: 'Você pode desativar estes e-mails nas configurações, em “Notificações”.',
  },
  ja: {
    waiting: {
      body: '確認をお待ちしています',
      subject: '確認をお待ちしています: {title}',
      opening: '{brand} の会話「{title}」が確認を待っています。ご判断いただくと続行します。',
    },
    ended: {
      body: '返信の準備ができました',
      subject: '返信の準備ができました: {title}',
      opening: '{brand} の会話「{title}」の返信ができました。',
    },
    failed: {
      body: '返信を完了できませんでした',
      subject: '返信を完了できませんでした: {title}',
      opening: '{brand} の会話「{title}」の返信を完了できませんでした。',
    },
    action: '会話を開く',
    closing: 'このメールは、設定の「通知」でオフにできます。',
  },
  ar: {
    waiting: {
      body: 'بانتظارك',
      subject: 'بانتظارك: {title}',
      opening: 'المحادثة «{title}» بانتظارك في {brand}، وستُستأنف بعد أن تتخذ قرارك.',
    },
    ended: {
      body: 'الرد جاهز',
      subject: 'الرد جاهز: {title}',
      opening: 'الرد في المحادثة «{title}» جاهز في {brand}.',
    },
    failed: {
      body: 'تعذّر إكمال الرد',
      subject: 'لم يكتمل الرد: {title}',
      opening: 'تعذّر إكمال الرد في المحادثة «{title}» في {brand}.',
    },
    action: 'فتح المحادثة',
    closing: 'يمكنك إيقاف هذه الرسائل في الإعدادات ضمن «الإشعارات».',
  },
}

/** The first of the tags that the product has, by its longest known prefix; English otherwise. */
export function chooseLanguage(...tags: readonly (string | undefined)[]): Language {
  const known = Object.keys(languageDirections) as Language[]
  for (const tag of tags) {
    const found =
      known.find((one) => one === tag) ?? known.find((one) => one.split('-')[0] === tag?.split('-')[0])
    if (found) return found
  }
  return 'en'
}
