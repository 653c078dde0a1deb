import type { Message } from '#shared/contracts/messages.ts'
import { findLanguage, type Language } from '#shared/languages.ts'
import { untitled } from '#shared/untitled.ts'

/** What an exported conversation says besides its messages. */
type ExportTexts = Readonly<
  Record<
    | 'untitled'
    /** the name of a file whose title has no letters */
    | 'conversation'
    | 'started'
    | 'you'
    | 'assistant'
    | 'version'
    | 'otherVersions'
    | 'thoughtFor'
    | 'thoughts'
    | 'attached'
    | 'used'
    | 'usedFailed'
    | 'source'
    | 'server'
    | 'asked'
    /** after an answer that had values */
    | 'withValues'
    | 'accept'
    | 'decline'
    | 'cancel'
    | 'rows'
    | 'someRows'
    | 'sheet'
    | NonNullable<Message['ended']>,
    string
  >
> & { readonly incompleteReason: Readonly<Record<NonNullable<Message['incomplete_reason']>, string>> }

/** In the languages of the page, in the form of `formatSentence`. */
export const exportTexts: Readonly<Record<Language, ExportTexts>> = {
  en: {
    untitled,
    conversation: 'conversation',
    started: 'Started {time}',
    you: 'You',
    assistant: 'Assistant',
    version: 'version {shown} of {count}',
    otherVersions: 'Other versions',
    thoughtFor: 'Thought for {seconds} s:',
    thoughts: 'Thoughts:',
    attached: 'Attached: {name} ({type}, {size})',
    used: 'Used: {tool}',
    usedFailed: 'Used: {tool} (failed)',
    source: 'Source {number}: {source}',
    server: 'The server',
    asked: '{integration} asked: “{message}” – {answer}',
    withValues: '{text}: {values}',
    accept: 'sent',
    decline: 'declined',
    cancel: 'cancelled',
    rows: '{total, plural, one {# row} other {# rows}}',
    someRows: '{count, number} of {total, plural, one {# row} other {# rows}}',
    sheet: 'sheet “{sheet}”',
    stopped: 'Generation stopped by user.',
    failed: 'This reply was ended by an error.',
    incomplete: 'This reply was incomplete.',
    interrupted: 'This reply was interrupted.',
    incompleteReason: {
      length: 'This reply was incomplete: it reached the limit of its length.',
      time: 'This reply was incomplete: its time was over.',
      budget: 'This reply was incomplete: a limit of use was reached.',
      filter: 'This reply was incomplete: the model’s server withheld the rest.',
    },
  },
  de: {
    untitled: 'Neuer Chat',
    conversation: 'unterhaltung',
    started: 'Begonnen: {time}',
    you: 'Sie',
    assistant: 'Assistent',
    version: 'Version {shown} von {count}',
    otherVersions: 'Andere Versionen',
    thoughtFor: '{seconds} s nachgedacht:',
    thoughts: 'Gedanken:',
    attached: 'Angehängt: {name} ({type}, {size})',
    used: 'Verwendet: {tool}',
    usedFailed: 'Verwendet: {tool} (fehlgeschlagen)',
    source: 'Quelle {number}: {source}',
    server: 'Der Server',
    asked: '{integration} hat gefragt: „{message}“ – {answer}',
    withValues: '{text}: {values}',
    accept: 'gesendet',
    decline: 'abgelehnt',
    cancel: 'abgebrochen',
    rows: '{total, plural, one {# Zeile} other {# Zeilen}}',
    someRows: '{count, number} von {total, plural, one {# Zeile} other {# Zeilen}}',
    sheet: 'Blatt „{sheet}“',
    stopped: 'Vom Benutzer gestoppt.',
    failed: 'Diese Antwort wurde durch einen Fehler beendet.',
    incomplete: 'Diese Antwort ist nicht vollständig.',
    interrupted: 'Diese Antwort wurde unterbrochen.',
    incompleteReason: {
      length: 'Diese Antwort ist nicht vollständig: Sie hat ihre maximale Länge erreicht.',
      time: 'Diese Antwort ist nicht vollständig: Sie hat zu lange gedauert.',
      budget: 'Diese Antwort ist nicht vollständig: Ein Nutzungslimit wurde erreicht.',
      filter: 'Diese Antwort ist nicht vollständig: Der Server des Modells hat den Rest zurückgehalten.',
    },
  },
  fr: {
    untitled: 'Nouvelle discussion',
    conversation: 'conversation',
    started: 'Commencée : {time}',
    you: 'Vous',
    assistant: 'Assistant',
    version: 'version {shown} sur {count}',
    otherVersions: 'Autres versions',
    thoughtFor: 'A réfléchi pendant {seconds} s :',
    thoughts: 'Réflexions :',
    attached: 'Pièce jointe : {name} ({type}, {size})',
    used: 'Utilisé : {tool}',
    usedFailed: 'Utilisé : {tool} (échec)',
    source: 'Source {number} : {source}',
    server: 'Le serveur',
    asked: '{integration} a demandé : « {message} » – {answer}',
    withValues: '{text} : {values}',
    accept: 'envoyé',
    decline: 'refusé',
    cancel: 'annulé',
    rows: '{total, plural, one {# ligne} other {# lignes}}',
    someRows: '{count, number} sur {total, plural, one {# ligne} other {# lignes}}',
    sheet: 'feuille « {sheet} »',
    stopped: 'Réponse arrêtée par l’utilisateur.',
    failed: 'Cette réponse a été interrompue par une erreur.',
    incomplete: 'Cette réponse est incomplète.',
    interrupted: 'Cette réponse a été interrompue.',
    incompleteReason: {
      length: 'Cette réponse est incomplète : elle a atteint sa longueur maximale.',
      time: 'Cette réponse est incomplète : elle a pris trop de temps.',
      budget: 'Cette réponse est incomplète : une limite d’utilisation a été atteinte.',
      filter: 'Cette réponse est incomplète : le serveur du modèle a retenu la suite.',
    },
  },
  es: {
    untitled: 'Nuevo chat',
    conversation: 'conversación',
    started: 'Empezada: {time}',
    you: 'Tú',
    assistant: 'Asistente',
    version: 'versión {shown} de {count}',
    otherVersions: 'Otras versiones',
    thoughtFor: 'Pensó durante {seconds} s:',
    thoughts: 'Razonamiento:',
    attached: 'Adjunto: {name} ({type}, {size})',
    used: 'Usado: {tool}',
    usedFailed: 'Usado: {tool} (falló)',
    source: 'Fuente {number}: {source}',
    server: 'El servidor',
    asked: '{integration} preguntó: “{message}” – {answer}',
    withValues: '{text}: {values}',
    accept: 'enviado',
    decline: 'rechazado',
    cancel: 'cancelado',
    rows: '{total, plural, one {# fila} other {# filas}}',
    someRows: '{count, number} de {total, plural, one {# fila} other {# filas}}',
    sheet: 'hoja “{sheet}”',
    stopped: 'Respuesta detenida por el usuario.',
    failed: 'Un error puso fin a esta respuesta.',
    incomplete: 'Esta respuesta no está completa.',
    interrupted: 'Esta respuesta se interrumpió.',
    incompleteReason: {
      length: 'Esta respuesta no está completa: alcanzó su longitud máxima.',
      time: 'Esta respuesta no está completa: tardó demasiado.',
      budget: 'Esta respuesta no está completa: se alcanzó un límite de uso.',
      filter: 'Esta respuesta no está completa: el servidor del modelo retuvo el resto.',
    },
  },
  'pt-BR': {
    untitled: 'Novo chat',
    conversation: 'conversa',
    started: 'Iniciada: {time}',
    you: 'Você',
    assistant: 'Assistente',
    version: 'versão {shown} de {count}',
    otherVersions: 'Outras versões',
    thoughtFor: 'Pensou por {seconds} s:',
    thoughts: 'Raciocínio:',
    attached: 'Anexo: {name} ({type}, {size})',
    used: 'Usado: {tool}',
    usedFailed: 'Usado: {tool} (falhou)',
    source: 'Fonte {number}: {source}',
    server: 'O servidor',
    asked: '{integration} perguntou: “{message}” – {answer}',
    withValues: '{text}: {values}',
    accept: 'enviado',
    decline: 'recusado',
    cancel: 'cancelado',
    rows: '{total, plural, one {# linha} other {# linhas}}',
    someRows: '{count, number} de {total, plural, one {# linha} other {# linhas}}',
    sheet: 'planilha “{sheet}”',
    stopped: 'Resposta interrompida pelo usuário.',
    failed: 'Esta resposta foi encerrada por um erro.',
    incomplete: 'Esta resposta não está completa.',
    interrupted: 'Esta resposta foi interrompida.',
    incompleteReason: {
      length: 'Esta resposta não está completa: atingiu o tamanho máximo.',
      time: 'Esta resposta não está completa: demorou demais.',
      budget: 'Esta resposta não está completa: um limite de uso foi atingido.',
      filter: 'Esta resposta não está completa: o servidor do modelo reteve o restante.',
    },
  },
  ja: {
    untitled: '新しいチャット',
    conversation: '会話',
    started: '開始：{time}',
    you: 'あなた',
    assistant: 'アシスタント',
    version: 'バージョン {shown}/{count}',
    otherVersions: 'ほかのバージョン',
    thoughtFor: '{seconds} 秒間の思考：',
    thoughts: '思考：',
    attached: '添付：{name}（{type}、{size}）',
    used: '使用：{tool}',
    usedFailed: '使用：{tool}（失敗）',
    source: '出典 {number}：{source}',
    server: 'サーバー',
    asked: '{integration} からの質問：「{message}」 – {answer}',
    withValues: '{text}：{values}',
    accept: '送信済み',
    decline: '拒否',
    cancel: 'キャンセル',
    rows: '{total, number} 行',
    someRows: '{total, number} 行中 {count, number} 行',
    sheet: 'シート「{sheet}」',
    stopped: 'ユーザーが回答を停止しました。',
    failed: 'この回答はエラーのため終了しました。',
    incomplete: 'この回答は完了していません。',
    interrupted: 'この回答は中断されました。',
    incompleteReason: {
      length: 'この回答は完了していません。長さの上限に達しました。',
      time: 'この回答は完了していません。時間がかかりすぎました。',
      budget: 'この回答は完了していません。利用量の上限に達しました。',
      filter: 'この回答は完了していません。モデルのサーバーが残りを送りませんでした。',
    },
  },
  ar: {
    untitled: 'محادثة جديدة',
    conversation: 'محادثة',
    started: 'بدأت في {time}',
    you: 'أنت',
    assistant: 'المساعد',
    version: 'الإصدار {shown} من {count}',
    otherVersions: 'إصدارات أخرى',
    thoughtFor: 'فكّر لمدة {seconds} ث:',
    thoughts: 'أفكار:',
    attached: 'مرفق: {name} ({type}، {size})',
    used: 'استُخدم: {tool}',
    usedFailed: 'استُخدم: {tool} (فشل)',
    source: 'المصدر {number}: {source}',
    server: 'الخادم',
    asked: 'سأل {integration}: «{message}» – {answer}',
    withValues: '{text}: {values}',
    accept: 'أُرسل',
    decline: 'رُفض',
    cancel: 'أُلغي',
    rows: 'عدد الصفوف: {total}',
    someRows: 'الصفوف: {count} من {total}',
    sheet: 'الورقة «{sheet}»',
    stopped: 'أوقف المستخدم الرد.',
    failed: 'انتهى هذا الرد بسبب خطأ.',
    incomplete: 'هذا الرد غير مكتمل.',
    interrupted: 'قوطع هذا الرد.',
    incompleteReason: {
      length: 'هذا الرد غير مكتمل: بلغ الحد الأقصى لطوله.',
      time: 'هذا الرد غير مكتمل: استغرق وقتًا أطول من اللازم.',
      budget: 'هذا الرد غير مكتمل: بُلغ أحد حدود الاستخدام.',
      filter: 'هذا الرد غير مكتمل: حجب خادم النموذج بقيته.',
    },
  },
}

/** The title of a conversation, or what one without a title is called. */
export const showTitle = (title: string, language: Language): string =>
  title === untitled ? exportTexts[language].untitled : title

/**
 * The language of an export.
 * @param asked what the caller asks for
 * @param account of the account; absent or empty: none was chosen
 */
export const chooseLanguage = (asked = '', account = ''): Language =>
  findLanguage(asked) ?? findLanguage(account) ?? 'en'
