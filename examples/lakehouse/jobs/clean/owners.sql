-- Proprietários: separa CPF de CNPJ pelo tipo de pessoa e abre a conta bancária.
-- Schedule: daily 03:00 · Owner: growth-data
USE clean;

INSERT OVERWRITE TABLE owners
SELECT
  o.owner_id,
  trim(o.nome_ou_razao) AS nome,
  upper(o.tipo_pessoa) AS tipo_pessoa,
  CASE WHEN o.tipo_pessoa = 'PF' THEN regexp_replace(o.documento, '[^0-9]', '') END AS cpf,
  CASE WHEN o.tipo_pessoa = 'PJ' THEN regexp_replace(coalesce(o.cnpj, o.documento), '[^0-9]', '') END AS cnpj,
  lower(o.email) AS email,
  regexp_replace(o.telefone, '[^0-9]', '') AS telefone,
  o.pix_chave,
  o.conta.banco,
  o.conta.agencia,
  o.conta.numero AS conta_numero,
  o.cadastrado_em
FROM raw.owners o
WHERE o.ds = '${ds}';
