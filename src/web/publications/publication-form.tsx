import { Button, Group, NativeSelect, Radio, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { publicationProviders, publicationTypes } from "../../shared/api/publications.ts";
import { ChangedElsewhere } from "../components/changed-elsewhere.tsx";
import { FormErrors } from "../components/form-errors.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { UnsavedGuard } from "../components/unsaved-guard.tsx";
import { useDomainAccounts } from "../domains/queries.ts";
import { useFieldChecks } from "../lib/field-checks.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { useSaving } from "../lib/use-saving.ts";
import { PublicationPreview } from "./publication-preview.tsx";
import {
  judgePublication,
  toPublicationBody,
  type PublicationValues,
} from "./publication-values.ts";
import classes from "./publications.module.css";
import { TimeFields } from "./time-fields.tsx";
import { WishFields } from "./wish-fields.tsx";

interface PublicationFormProps<Answer> {
  initialValues: PublicationValues;
  /** Of the one that is changed. */
  id?: number;
  /** The word on the button. */
  action: string;
  /** Of a list that somebody else has changed meanwhile. */
  loadAnew?: (() => void) | undefined;
  send: (values: PublicationValues) => Promise<Answer>;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
}

export type PublicationFormState = ReturnType<typeof useCheckedForm<PublicationValues>>;

/** Where which nodes are published, beside what would be. */
export function PublicationForm<Answer>(props: PublicationFormProps<Answer>) {
  const { initialValues, id, action, loadAnew, send, onSaved } = props;
  const { t } = useTranslation("publications");
  const { t: common } = useTranslation();
  const checks = useFieldChecks();
  const check = (values: PublicationValues) => judgePublication(values, checks, t("form.noName"));
  const form = useCheckedForm<PublicationValues>({ initialValues, check });
  const { save, isSaving, refusal } = useSaving({
    form,
    paths: Object.keys(initialValues),
    send,
    stale: "publications",
    onSaved,
  });
  const isDirty = form.isDirty();
  const isRight = Object.keys(check(form.values)).length === 0;
  return (
    <form noValidate onSubmit={save}>
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <ChangedElsewhere loadAnew={loadAnew} isDirty={isDirty} isSaving={isSaving} />
      <FormErrors error={refusal} title={t("form.refused")} />
      <div className={classes.beside}>
        <div>
          <Place form={form} />
          <Section title={t("form.wish")} lead={t("form.wishLead")}>
            <WishFields form={form} />
          </Section>
          <Section title={t("form.times")}>
            <TimeFields form={form} />
          </Section>
        </div>
        <div className={classes.aside}>
          <PublicationPreview body={isRight ? toPublicationBody(form.values) : undefined} id={id} />
        </div>
      </div>
      <Group>
        <SubmitButton isSending={isSaving}>{action}</SubmitButton>
        <Button variant="default" component={Link} href={pageAddress("publications")}>
          {common("cancel")}
        </Button>
      </Group>
    </form>
  );
}

function Place({ form }: { form: PublicationFormState }) {
  const { t } = useTranslation("publications");
  const { data: accounts } = useDomainAccounts();
  const fitting = accounts?.filter(({ provider }) => publicationProviders.includes(provider));
  return (
    <Section title={t("form.place")}>
      <Stack gap="lg" maw="34rem">
        <NativeSelect
          label={t("field.account")}
          description={t("form.accountHint")}
          withAsterisk
          data={[
            { value: "", label: t("form.choose") },
            ...(fitting ?? []).map(({ id, name, provider }) => ({
              value: String(id),
              label: `${name} (${provider})`,
            })),
          ]}
          {...form.getInputProps("domain_account_id")}
        />
        {fitting?.length === 0 && (
          <Link href={pageAddress("newDomainAccount")}>{t("form.noAccount")}</Link>
        )}
        <Radio.Group
          label={t("field.type")}
          description={t("form.typeHint")}
          {...form.getInputProps("type")}
        >
          <Stack mt="xs" gap="xs">
            {publicationTypes.map((type) => (
              <Radio
                key={type}
                value={type}
                label={`${type} – ${type.toLowerCase()}://`}
                description={t(`form.type.${type}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={t("field.name")}
          description={t("form.nameHint")}
          placeholder="peers.example.com"
          withAsterisk
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps("name")}
        />
        <Switch
          label={t("field.enabled")}
          description={t("form.enabledHint")}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
      </Stack>
    </Section>
  );
}
