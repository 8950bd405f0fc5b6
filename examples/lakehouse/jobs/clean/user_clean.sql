-- Usuários: fica o último cadastro de cada pessoa, com documento e telefone só com dígitos.
-- Schedule: daily 03:00 · Owner: growth-data
SET hive.exec.dynamic.partition.mode=nonstrict;
SET hivevar:ds=2026-11-01;

WITH ordenados AS (
  SELECT
    u.*,
    row_number() OVER (PARTITION BY u.user_id ORDER BY u.created_at_epoch DESC) AS rn
  FROM raw.users u
  WHERE u.ds = '${hivevar:ds}'
),
limpos AS (
  SELECT
    user_id,
    initcap(trim(nome)) AS nome,
    lower(trim(email)) AS email,
    email_verified = 1 AS email_verified,
    lpad(regexp_replace(cpf, '[^0-9]', ''), 11, '0') AS cpf,
    rg,
    regexp_replace(telefone, '[^0-9]', '') AS telefone,
    CASE
      WHEN data_nascimento LIKE '__/__/____' THEN to_date(from_unixtime(unix_timestamp(data_nascimento, 'dd/MM/yyyy')))
      WHEN data_nascimento IN ('', 'N/A') THEN NULL
      ELSE to_date(data_nascimento)
    END AS data_nascimento,
    genero,
    CAST(from_unixtime(created_at_epoch) AS timestamp) AS cadastrado_em,
    address,
    cpf_hash
  FROM ordenados
  WHERE rn = 1 AND trim(coalesce(nome, '')) <> ''
)
INSERT OVERWRITE TABLE clean.user_clean PARTITION (ds = '${hivevar:ds}')
SELECT
  user_id,
  nome,
  email,
  email_verified,
  cpf,
  rg,
  telefone,
  data_nascimento,
  genero,
  cadastrado_em,
  address.street,
  address.number,
  address.district,
  address.city,
  upper(address.state),
  regexp_replace(address.cep, '[^0-9]', '') AS cep,
  address.ibge_code,
  cpf_hash
FROM limpos;

ANALYZE TABLE clean.user_clean PARTITION (ds = '${hivevar:ds}') COMPUTE STATISTICS FOR COLUMNS;
